// Two stand-ins in a process of their own, one with a request log and one without.
import { join } from 'node:path'
import { startStandIn } from '../../src/stand-in/stand-in.ts'

export interface LoggingQuestion {
  folder: string
}

export interface LoggingAnswer {
  pid: number
  logged: string
  unlogged: string
}

process.on('message', async ({ folder }: LoggingQuestion) => {
  const [logged, unlogged] = await Promise.all([start(folder, 'logged', 1_000), start(folder, 'unlogged', 0)])
  process.send?.({ pid: process.pid, logged: logged.url, unlogged: unlogged.url } satisfies LoggingAnswer)
})

const start = (folder: string, name: string, requestLog: number) =>
  startStandIn({
    database: join(folder, `${name}.db`),
    documents: join(folder, `${name}-documents`),
    requestLog,
    // As in the other benches: every call is counted against its quota, and none is refused.
    rates: 1_000_000_000,
    log: { level: 'info', pretty: false },
  })
