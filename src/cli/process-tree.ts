import { spawnSync } from 'node:child_process'

/** The processes that a process has started, and those that they have started. Empty where that cannot be found out. */
export function findDescendants(root: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const processes = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const found: number[] = []
  for (let parents = [root]; parents.length > 0; ) {
    parents = processes.filter(([, parent]) => parents.includes(parent)).map(([pid]) => pid)
    found.push(...parents)
  }
  return found
}

/** Ends a process at once, unless it has ended. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
