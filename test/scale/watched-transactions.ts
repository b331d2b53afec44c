import type { Database, Transaction, TransactionOptions } from '../../src/platform/database/port.ts'
import { percentile } from './percentile.ts'

export interface TransactionFigures {
  /** The most rows that one transaction changed. */
  mostRows: number
  /** How long the longest percent of the transactions that changed rows took at least, with the wait for others. */
  p99Milliseconds: number
  transactions: WatchedTransaction[]
}

/** From its begin to its commit, in milliseconds since 1970. */
export interface WatchedTransaction {
  from: number
  to: number
  /** Of its thread, whatever else the machine did meanwhile. */
  cpuMilliseconds: number
}

/** Of this machine, for all of its processes. */
export const millisecondsNow = () => performance.timeOrigin + performance.now()

/** The database with its transactions measured. */
export function watchTransactions(database: Database): { database: Database; figures(): TransactionFigures } {
  let mostRows = 0
  const durations: number[] = []
  const transactions: WatchedTransaction[] = []

  async function transact(work: (tx: Transaction) => Promise<unknown>, options?: TransactionOptions): Promise<unknown> {
    const startedAt = performance.now()
    let rows = 0
    let from = 0
    let cpuAtBegin = process.threadCpuUsage()
    const result = await database.transact((tx) => {
      rows = 0
      from = millisecondsNow()
      cpuAtBegin = process.threadCpuUsage()
      return work(countingRows(tx, (changed) => (rows += changed)))
    }, options)
    if (rows > 0) {
      const { user, system } = process.threadCpuUsage(cpuAtBegin)
      durations.push(performance.now() - startedAt)
      transactions.push({ from, to: millisecondsNow(), cpuMilliseconds: (user + system) / 1_000 })
    }
    mostRows = Math.max(mostRows, rows)
    return result
  }

  return {
    database: overriding(database, { transact: transact as Database['transact'] }),
    figures: () => ({
      mostRows,
      p99Milliseconds: p99(durations),
      transactions,
    }),
  }
}

const p99 = (values: readonly number[]) => {
  const sorted = values.toSorted((one, other) => one - other)
  return percentile(sorted, 0.99)
}

const countingRows = (tx: Transaction, count: (rows: number) => void): Transaction =>
  overriding(tx, {
    async run(command: never, params?: never) {
      const changed = await tx.run(command, params as never)
      count(changed)
      return changed
    },
    runEach(command, each) {
      count(each.length)
      return tx.runEach(command, each)
    },
  })

/** The object with some of its methods replaced. Its own ones use private fields, so they need the object itself. */
const overriding = <Target extends object>(target: Target, methods: Partial<Target>): Target =>
  new Proxy(target, {
    get(_, name: string & keyof Target) {
      if (Object.hasOwn(methods, name)) return methods[name]
      const value = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
