import pg from 'pg'
import { cpuMilliseconds } from './cpu-time.ts'

// Not of autovacuum, which runs some time after the changes.
const BACKENDS = `select pid from pg_stat_activity
  where datname = current_database() and backend_type in ('client backend', 'parallel worker')`

/**
 * The CPU time of this process, and of the server's processes for its database. Unlike real time, it is not what other
 * programs left over.
 */
export async function openCpuClock(location: string): Promise<() => Promise<number>> {
  if (!location.startsWith('postgres')) return async () => cpuMilliseconds(process.pid)
  const client = new pg.Client(location)
  await client.connect()
  client.on('error', () => {})
  // What a connection has used still counts when it is closed.
  const used = new Map<number, number>()
  return async () => {
    const { rows } = await client.query(BACKENDS)
    for (const pid of [process.pid, ...rows.map((row) => Number(row.pid))]) used.set(pid, cpuMilliseconds(pid))
    return [...used.values()].reduce((sum, milliseconds) => sum + milliseconds, 0)
  }
}
