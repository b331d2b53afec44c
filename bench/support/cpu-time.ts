import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** How long all threads of a process have run on a processor. Unlike real time, it is not what other programs left over. */
export function cpuMilliseconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  return nanoseconds.reduce((sum, one) => sum + Number(one), 0) / 1e6
}

/** The same of the processes of PostgreSQL that serve Souk at the moment. */
export async function backendMilliseconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select pid from pg_stat_activity where application_name like 'souk-%'")
  return rows.reduce((sum, { pid }) => sum + cpuMilliseconds(pid), 0)
}

const MILLISECONDS_PER_TICK = 10

/** The same of a whole server of PostgreSQL, including connections that have ended. */
export async function serverMilliseconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const [, server] = readStatus(rows[0].pid)
  const running = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
  const [userTicks = 0, systemTicks = 0] = readStatus(server as number).slice(ENDED_CHILDREN)
  const ended = (userTicks + systemTicks) * MILLISECONDS_PER_TICK
  return running.reduce((sum, pid) => sum + cpuMillisecondsIfAny(pid), ended)
}

/** A process of autovacuum can end while it is looked at. */
function cpuMillisecondsIfAny(pid: number): number {
  try {
    return cpuMilliseconds(pid)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}

// Of the fields after the name of the program, which may have spaces.
const ENDED_CHILDREN = 13

const readStatus = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number)
