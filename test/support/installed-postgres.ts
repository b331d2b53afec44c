import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgresProcess } from './postgres-process.ts'

const DEBIAN = '/usr/lib/postgresql'
const PROGRAMS = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'pg_basebackup', 'psql']

/** The folder of an installed server with its tools. In CI, a missing one is an error. */
export function findInstalledPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = versions.map((version) => join(DEBIAN, version, 'bin'))
  const found = folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
  if (found) return found
  const message = `PostgreSQL is not installed in ${DEBIAN} (Debian: apt-get install postgresql)`
  if (process.env.CI === 'true') throw new Error(message)
  console.warn(`skipped: ${message}`)
  return undefined
}

export type InstalledPostgres = Awaited<ReturnType<typeof startInstalledPostgres>>

/** Starts a server of the installed version, which has the tools that the embedded one lacks. */
export async function startInstalledPostgres(programs: string) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-postgres-'))
  chmodSync(folder, 0o755)
  const dataFolder = join(folder, 'data')
  mkdirSync(dataFolder)
  const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined
  if (owner) chownSync(dataFolder, owner.uid, owner.gid)
  const args = ['-D', dataFolder, '-U', 'souk', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), args, { ...owner, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const server = await startPostgresProcess({ command: join(programs, 'postgres'), dataFolder })
  return {
    url: `postgres://souk@127.0.0.1:${server.port}`,
    dataFolder,
    async stop(): Promise<void> {
      await server.crash()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The package creates this user. */
const idOf = (flag: '-u' | '-g') => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
