import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

/** Debian's package is `pgbouncer`. */
const printedVersion = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
export const hasPgBouncer = printedVersion.status === 0
const [major, minor] = (/PgBouncer (\d+)\.(\d+)/.exec(printedVersion.stdout ?? '') ?? []).slice(1).map(Number)
/** Version 1.21 was the first. */
export const keepsPreparedStatements = major !== undefined && minor !== undefined && (major > 1 || minor >= 21)

/** Starts PgBouncer with transaction pooling before a PostgreSQL server: each transaction may get another connection. */
export async function startPgBouncer(serverUrl: string, { connections }: { connections: number }) {
  const { hostname, port, username, password } = new URL(serverUrl)
  const folder = mkdtempSync(join(tmpdir(), 'souk-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const listenPort = await freePort()
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
admin_users = ${username}
pool_mode = transaction
default_pool_size = ${connections}
min_pool_size = ${connections}
server_login_retry = 1
${keepsPreparedStatements ? 'max_prepared_statements = 200' : ''}
`,
  )
  // PgBouncer refuses to run as root, and as another user it must still read its file.
  const asRoot = process.getuid?.() === 0
  if (asRoot) chmodSync(folder, 0o755)
  let child: ChildProcess
  const start = async () => {
    child = spawn('pgbouncer', [...(asRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
    await waitFor(
      () => accepts(listenPort),
      (isListening) => isListening,
    )
  }
  const end = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  const kill = () => end('SIGKILL')
  const urlOf = (database: string) => `postgres://${username}:${password}@127.0.0.1:${listenPort}/${database}`
  await start()
  return {
    start,
    kill,
    /** As its service is stopped: it waits for the transactions that are running. */
    shutDown: () => end('SIGINT'),
    freeze: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    urlOf,
    /** A command such as `pause`. */
    async command(text: string): Promise<void> {
      const admin = new pg.Client(urlOf('pgbouncer'))
      await admin.connect()
      try {
        await admin.query(text)
      } finally {
        await admin.end()
      }
    },
    async stop(): Promise<void> {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })
}
