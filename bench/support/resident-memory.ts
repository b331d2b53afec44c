import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

export function residentMegabytes(pid: number): number {
  return readKibibytes(pid) / 1024
}

function readKibibytes(pid: number): number {
  const status = `/proc/${pid}/status`
  if (!existsSync(status)) return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8')) ?? []
  if (kibibytes === undefined) throw new Error(`${status} does not tell the resident memory`)
  return Number(kibibytes)
}
