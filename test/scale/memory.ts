import { existsSync, readFileSync } from 'node:fs'
import { setInterval } from 'node:timers'

/** In megabytes. */
export interface Memory {
  idle: number
  most: number
}

/** Private memory if the system reports it, because resident memory includes the file that SQLite maps. */
function megabytes(): number {
  const status = '/proc/self/status'
  const [, kibibytes] = (existsSync(status) && /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))) || []
  return kibibytes === undefined ? process.memoryUsage.rss() / 1024 ** 2 : Number(kibibytes) / 1024
}

/** Measures the memory of this process until the returned function is called. */
export function watchMemory(): () => Memory {
  const idle = megabytes()
  let most = idle
  const timer = setInterval(() => {
    most = Math.max(most, megabytes())
  }, 10)
  return () => {
    clearInterval(timer)
    return { idle, most: Math.max(most, megabytes()) }
  }
}
