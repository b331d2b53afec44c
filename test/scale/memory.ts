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
export const watchMemory = () => watch(megabytes, 10)

/**
 * Measures what this process needs, without the garbage that it has not collected yet: how much that is depends on the
 * speed of the machine. The process must be started with `--expose-gc`.
 */
export const watchLiveMemory = () => watch(liveMegabytes, 50)

function liveMegabytes(): number {
  if (!global.gc) throw new Error('Start this process with --expose-gc')
  global.gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 ** 2
}

function watch(measure: () => number, everyMilliseconds: number): () => Memory {
  const idle = measure()
  let most = idle
  const timer = setInterval(() => {
    most = Math.max(most, measure())
  }, everyMilliseconds)
  return () => {
    clearInterval(timer)
    return { idle, most: Math.max(most, measure()) }
  }
}
