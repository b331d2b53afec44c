import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
import { runSouk, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

const NODE = process.execPath
const STARTED = /^souk run: Souk is at (http:\S+), its queue at (http:\S+)\n/
const SHELL_ENV = { PATH: process.env.PATH ?? '' }

describe('souk run', () => {
  test("brings the command's requests to a new marketplace, with its credentials, and ends with its exit code", async () => {
    const program = `
      const { LWA_CLIENT_ID: client_id, LWA_CLIENT_SECRET: client_secret, LWA_REFRESH_TOKEN: refresh_token } = process.env
      const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, client_secret, refresh_token })
      const response = await fetch('https://api.amazon.com/auth/o2/token', { method: 'POST', body })
      console.log(response.status, process.title, process.env.AWS_ENDPOINT_URL_SQS)
      process.exitCode = 7`
    const env = { NODE_OPTIONS: '--title=mine', LWA_CLIENT_ID: 'a-real-one' }
    const { code, stdout, stderr } = await runSouk(['run', '--', NODE, '--input-type=module', '-e', program], { env })
    const [, , queueUrl] = STARTED.exec(stderr) ?? []
    expect({ code, stdout }, stderr).toEqual({ code: 7, stdout: `200 mine ${queueUrl}\n` })
    expect(stderr.split('\n')).toHaveLength(2)
  })

  test('gives the options after -- to the command', async () => {
    const { code, stdout } = await runSouk(['run', '--rates', 'off', '--', 'echo', '--port', '1', '--', '--help'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '--port 1 -- --help\n' })
  })

  test('keeps data in a folder with --data', async () => {
    const data = join(temporaryFolder(), 'data')
    const { code } = await runSouk(['run', '--data', data, '--', 'test', '-e', join(data, 'souk.db')])
    expect(code).toBe(0)
  })

  test.each([
    ['127 for a command that does not exist', '/no/such/command', 127, 'there is no such command'],
    ['126 for a file that is not executable', '/etc/passwd', 126, 'it is not executable'],
  ])('ends with %s', async (_what, file, exitCode, reason) => {
    const { code, stdout, stderr } = await runSouk(['run', '--', file])
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' })
    expect(stderr.replace(STARTED, '')).toBe(`souk run: Cannot run ${file}: ${reason}.\n`)
  })

  test('ends with 128 + n if signal n ended the command', async () => {
    expect((await runSouk(['run', '--', 'sh', '-c', 'kill -KILL $$'])).code).toBe(137)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'forwards %s, and Souk is there until the command has ended',
    async (signal) => {
      const program = `
        process.on('${signal}', async () => {
          const { status } = await fetch('https://sellingpartnerapi-eu.amazon.com/healthz')
          process.exit(status === 200 ? 5 : 6)
        })
        setInterval(() => {}, 1000)
        console.log('ready')`
      const souk = startSoukProcess(['run', '--', NODE, '-e', program])
      await souk.waitFor(/ready/)
      expect((await souk.stop(signal)).code).toBe(5)
    },
  )

  test('kills a command that ignores SIGTERM', async () => {
    const folder = temporaryFolder()
    const script = join(folder, 'stubborn.sh')
    writeFileSync(script, `trap '' TERM; touch ${folder}/ready; while :; do sleep 0.1; done`)
    const running = runCommand(['sh', script], SHELL_ENV, { stopWithinMilliseconds: 50 })
    await waitFor(
      () => existsSync(join(folder, 'ready')),
      (isThere) => isThere,
    )
    process.emit('SIGTERM', 'SIGTERM')
    expect(await running).toBe(137)
    expect(process.listenerCount('SIGTERM')).toBe(0)
  })

  test('reports in one sentence that its port is in use', async () => {
    const holder = startSoukProcess(['run', '--', 'sh', '-c', 'echo $SOUK_URL; exec sleep 60'])
    const [, port = ''] = await holder.waitFor(/http:\/\/127\.0\.0\.1:(\d+)/)
    const { code, stderr } = await runSouk(['run', '--port', port, '--', 'true'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `souk: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --port.\n`,
    })
  })
})
