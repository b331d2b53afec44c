import { readdirSync, readFileSync } from 'node:fs'

/** How long all threads of a process have run on a processor. Unlike real time, it is not what other programs left over. */
export function cpuMilliseconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  return nanoseconds.reduce((sum, one) => sum + Number(one), 0) / 1e6
}
