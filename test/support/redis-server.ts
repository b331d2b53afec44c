import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

const COMMANDS = ['valkey-server', 'redis-server']

/** The command of an installed server. In CI, a missing one is an error. */
export function findRedisServer(): string | undefined {
  const command = COMMANDS.find((one) => spawnSync(one, ['--version']).status === 0)
  if (command) return command
  const message = `none of ${COMMANDS.join(' and ')} is installed (Debian: apt-get install redis-server)`
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(`skipped: ${message}`)
  return undefined
}

export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>

/** A server of its own on a free port, which keeps nothing on disk. */
export async function startRedisServer(command: string) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-redis-'))
  const port = await freePort()
  let child: ChildProcess

  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    child = spawn(command, args, { stdio: 'ignore' })
    await waitFor(
      () => isListening(port),
      (listening) => listening,
    )
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    freeze: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
