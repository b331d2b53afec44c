import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { freePort } from './free-port.ts'

export interface PostgresProcessOptions {
  /** The path of the program `postgres`. */
  command: string
  dataFolder: string
  /** Such as `max_connections=300`. */
  settings?: readonly string[]
}

/** Starts a server on a data folder that exists, as the owner of the folder: PostgreSQL refuses to run as root. */
export async function startPostgresProcess({ command, dataFolder, settings = [] }: PostgresProcessOptions) {
  const port = await freePort()
  const { uid, gid } = statSync(dataFolder)
  const given = ['fsync=off', 'unix_socket_directories=', ...settings].flatMap((setting) => ['-c', setting])
  const args = ['-D', dataFolder, '-p', String(port), ...given]
  let child: ChildProcess

  const start = async () => {
    let said = ''
    const asRoot = process.getuid?.() === 0
    child = spawn(command, args, { ...(asRoot && { uid, gid }), stdio: ['ignore', 'ignore', 'pipe'] })
    const exited = once(child, 'exit')
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (bytes) => {
        said = (said + bytes).slice(-10_000)
        if (/ready to accept (read-only )?connections/.test(said)) resolve()
      })
      void exited.then(() => reject(new Error(`PostgreSQL did not start: ${said}`)))
    })
  }
  /** Every connection is cut, and the next start recovers from the log. */
  const crash = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGQUIT')
    await exited
  }
  await start()
  return { port, start, crash }
}
