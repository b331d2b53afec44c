import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** How long all threads of a process have run on a processor. Unlike real time, it is not what other programs left over. */
export function cpuMilliseconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  return nanoseconds.reduce((sum, one) => sum + Number(one), 0) / 1e6
}

/** The same of the processes of PostgreSQL that serve Souk. */
export async function backendMilliseconds(client: pg.Client): Promise<number> {
  const { rows } = await client.query("select pid from pg_stat_activity where application_name like 'souk-%'")
  return rows.reduce((sum, { pid }) => sum + cpuMilliseconds(pid), 0)
}
