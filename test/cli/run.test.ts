import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/run-command.ts'
import { runSouk, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

const NODE = process.execPath
const PYTHON_PROGRAM = resolve('test/redirect/programs/report.py')
const START_PYTHON = `require('child_process').execFileSync('python3', ['${PYTHON_PROGRAM}'], { stdio: 'inherit' })`
const STARTED = /^souk run: Souk is at (http:\S+), its queue at (http:\S+)\n/
const SHELL_ENV = { PATH: process.env.PATH ?? '' }

const START_SESSION = 'import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])'

// Runs a command on a terminal, but with another input. Once it is ready, presses Ctrl+C and then ends it.
const PRESS_CTRL_C = `
import os, pty, signal, sys
process, terminal = pty.fork()
if process == 0:
    os.dup2(os.open('/dev/null', os.O_RDONLY), 0)
    os.execvp(sys.argv[1], sys.argv[1:])
output = b''
while True:
    try:
        read = os.read(terminal, 1000)
    except OSError:
        read = b''
    if not read: break
    wasReady = b'ready' in output
    output += read
    if b'ready' in output and not wasReady:
        os.write(terminal, b'\\x03')
        os.kill(process, signal.SIGTERM)
_, status = os.waitpid(process, 0)
sys.stdout.buffer.write(output)
print('exit code', os.waitstatus_to_exitcode(status))
`

// Each test starts two processes, on machines that do much else.
describe('souk run', { timeout: 60_000 }, () => {
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

  const hasPython = spawnSync('python3', ['--version']).status === 0
  test.runIf(hasPython || process.env.CI).each([
    ['a program in another language', ['python3', PYTHON_PROGRAM]],
    ['a program in another language that a Node.js program starts', [NODE, '-e', START_PYTHON]],
  ])('brings the requests of %s to Souk, too', async (_what, command) => {
    const { code, stdout, stderr } = await runSouk(['run', '--rates', 'off', '--', ...command])
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'souk-documents.s3.eu-west-1.amazonaws.com True\n' })
    expect(stderr).toMatch(new RegExp(`${STARTED.source}$`))
  })

  test('lets requests to other hosts pass, with the authorities that the machine trusts', async () => {
    const other = createServer((socket) => socket.end('mine')).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const program = `
      const { hostname, port } = new URL(process.env.HTTPS_PROXY)
      const socket = require('net').connect(port, hostname)
      socket.write('CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n')
      socket.pipe(process.stdout)
      const trusted = require('fs').readFileSync(process.env.SSL_CERT_FILE, 'utf8').match(/BEGIN CERTIFICATE/g).length
      console.log(trusted > 50, process.env.NO_PROXY)`
    // The hosts of the vendor are no exceptions: these requests would go to the live service.
    const NO_PROXY = 'intranet, .amazonaws.com,*.amazon.com,api.amazon.com:443,*'
    const { stdout } = await runSouk(['run', '--', NODE, '-e', program], { env: { NO_PROXY } })
    other.close()
    expect(stdout).toMatch(/^true intranet,localhost,127\.0\.0\.1,::1\nHTTP\/1\.1 200 .*mine$/s)
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

  test.each(['SIGTERM', 'SIGINT'] as const)(
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

  test.runIf(hasPython || process.env.CI)(
    'does not forward Ctrl+C: the terminal sends it to the command itself',
    () => {
      // The result goes to a file: a terminal may drop the last output of a process that ends.
      const result = join(temporaryFolder(), 'result')
      const program = `
      let received = 0
      process.on('SIGINT', () => received++)
      process.on('SIGTERM', () => setImmediate(() => {
        require('node:fs').writeFileSync('${result}', 'forwarded ' + received)
        process.exit(5)
      }))
      setInterval(() => {}, 1000)
      console.log('ready')`
      // In a session of its own, it receives only what souk run forwards.
      const command = ['python3', '-c', START_SESSION, NODE, '-e', program]
      const souk = [NODE, inject('soukCommand'), 'run', '--', ...command]
      const { stdout, stderr } = spawnSync('python3', ['-c', PRESS_CTRL_C, ...souk], { encoding: 'utf8' })
      expect(stdout, stderr).toMatch(/exit code 5\n$/)
      expect(readFileSync(result, 'utf8')).toBe('forwarded 0')
    },
  )

  test('reports in one sentence that its port is in use', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const { code, stderr } = await runSouk(['run', '--port', String(port), '--', 'true'])
    holder.close()
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `souk: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --port.\n`,
    })
  })
})

describe('the command of souk run', () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  beforeEach(() => errors.mockClear())
  afterAll(() => errors.mockRestore())

  test.each([
    ['127 if it does not exist', '/no/such/command', 127, 'there is no such command'],
    ['126 if it is not executable', '/etc/passwd', 126, 'it is not executable'],
  ])('ends with %s', async (_what, file, exitCode, reason) => {
    expect(await runCommand([file], SHELL_ENV)).toBe(exitCode)
    expect(errors.mock.calls).toEqual([[`souk: Cannot run ${file}: ${reason}.`]])
  })

  test.each([
    ['its own exit code', 'exit 7', 7],
    ['128 + n if signal n ended it', 'kill -KILL $$', 137],
    ['128 + n if it ended itself by SIGTERM', 'kill -TERM $$', 143],
  ])('ends with %s', async (_what, script, exitCode) => {
    expect(await runCommand(['sh', '-c', script], SHELL_ENV)).toBe(exitCode)
    expect(errors).not.toHaveBeenCalled()
  })

  test('is killed if it ignores SIGTERM', async () => {
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
    expect(errors.mock.calls).toEqual([['souk: sh did not end within 0.05 seconds and is killed.']])
    expect(process.listenerCount('SIGTERM')).toBe(0)
  })
})
