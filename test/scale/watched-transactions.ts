import type { Database, Transaction, TransactionOptions } from '../../src/platform/database/port.ts'
import { percentile } from './percentile.ts'

export interface TransactionFigures {
  /** The most rows that one transaction changed. */
  mostRows: number
  /** How long the longest percent of the transactions that changed rows took at least, with the wait for others. */
  p99Milliseconds: number
}

/** The database with its transactions measured. */
export function watchTransactions(database: Database): { database: Database; figures(): TransactionFigures } {
  let mostRows = 0
  const durations: number[] = []

  async function transact(work: (tx: Transaction) => Promise<unknown>, options?: TransactionOptions): Promise<unknown> {
    const startedAt = performance.now()
    let rows = 0
    const result = await database.transact((tx) => {
      rows = 0
      return work(countingRows(tx, (changed) => (rows += changed)))
    }, options)
    if (rows > 0) durations.push(performance.now() - startedAt)
    mostRows = Math.max(mostRows, rows)
    return result
  }

  return {
    database: overriding(database, { transact: transact as Database['transact'] }),
    figures: () => ({
      mostRows,
      p99Milliseconds: percentile(
        durations.toSorted((a, b) => a - b),
        0.99,
      ),
    }),
  }
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
