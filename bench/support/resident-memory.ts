import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const LOOK_EVERY_MILLISECONDS = 20

export function residentMegabytes(pid: number): number {
  return readKibibytes(pid) / 1024
}

/**
 * The memory without files that are mapped into it, such as a database: the system can take those pages back at any
 * time.
 */
export function ownMegabytes(pid: number): number {
  return readKibibytes(pid, 'RssAnon') / 1024
}

/** Does the work, and returns the highest memory of the process that was sampled, in megabytes. */
export async function watchMemory<Result>(pid: number, work: () => Promise<Result>) {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, residentMegabytes(pid))
  }
  const timer = setInterval(look, LOOK_EVERY_MILLISECONDS)
  try {
    const result = await work()
    look()
    return { peak, result }
  } finally {
    clearInterval(timer)
  }
}

function readKibibytes(pid: number, field = 'VmRSS'): number {
  const status = `/proc/${pid}/status`
  if (!existsSync(status)) return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(status, 'utf8')) ?? []
  if (kibibytes === undefined) throw new Error(`${status} does not contain the resident memory`)
  return Number(kibibytes)
}
