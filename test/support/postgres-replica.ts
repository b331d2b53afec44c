import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgresProcess } from './postgres-process.ts'

export type PostgresReplica = Awaited<ReturnType<typeof startReplica>>

interface Primary {
  url: string
  dataFolder: string
}

/** Starts a hot standby that streams from a server. Takes settings of the standby. */
export async function startReplica(primary: Primary, settings: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-replica-'))
  chmodSync(folder, 0o755)
  const dataFolder = join(folder, 'data')
  await copyRunningServer(primary, dataFolder)
  addFile(dataFolder, 'standby.signal', '')
  const { hostname, port: primaryPort, username, password } = new URL(primary.url)
  const server = await startPostgresProcess({
    command: programOf(primary.dataFolder),
    dataFolder,
    settings: [
      'max_connections=300',
      `primary_conninfo=host=${hostname} port=${primaryPort} user=${username} password=${password}`,
      'wal_retrieve_retry_interval=200ms',
      ...settings,
    ],
  })
  const url = `postgres://${username}:${password}@127.0.0.1:${server.port}`

  return {
    ...server,
    url,
    async query(text: string): Promise<pg.QueryResult> {
      const client = new pg.Client(`${url}/postgres`)
      await client.connect()
      try {
        return await client.query(text)
      } finally {
        await client.end()
      }
    },
    async stop(): Promise<void> {
      await server.crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The program is the first word of the options that a server was started with. */
export const programOf = (dataFolder: string): string =>
  readFileSync(join(dataFolder, 'postmaster.opts'), 'utf8').split(' ', 1)[0] as string

/** A base backup without pg_basebackup, which the binaries of the tests lack. */
async function copyRunningServer({ url, dataFolder }: Primary, target: string) {
  const admin = new pg.Client(`${url}/postgres`)
  await admin.connect()
  await admin.query("select pg_backup_start('replica', true)")
  spawnSync('cp', ['-a', dataFolder, target])
  const { rows } = await admin.query('select labelfile from pg_backup_stop()')
  await admin.end()
  rmSync(join(target, 'postmaster.pid'))
  addFile(target, 'backup_label', rows[0].labelfile)
}

/** The server runs as the owner of the folder, and renames and syncs its files. */
function addFile(folder: string, name: string, text: string): void {
  const path = join(folder, name)
  writeFileSync(path, text)
  const { uid, gid } = statSync(folder)
  chownSync(path, uid, gid)
}
