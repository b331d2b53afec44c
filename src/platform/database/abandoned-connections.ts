import type { PooledClient } from './postgres-client.ts'

export type AbandonedClient = Pick<PooledClient, 'isBusy' | 'unusableReason' | 'release' | 'whenQuiet' | 'cut'>

/**
 * Connections that were given up while a pooler may be running a statement of them. They stay open until it ends, but do not
 * count as connections of the pool: if their packets are lost, as after a failover of the pooler, the statement ends at its
 * deadline only, while new connections work.
 */
export class AbandonedConnections {
  readonly #max: number
  readonly #apart = new Set<AbandonedClient>()
  /**
   * Beyond the maximum. They keep their places in the pool, so that the pooler never has more than twice the pool to
   * serve.
   */
  readonly #waiting = new Set<AbandonedClient>()

  constructor(max: number) {
    this.#max = max
  }

  /** How many are open besides those of the pool. */
  get apart(): number {
    return this.#apart.size
  }

  /** Returns a connection to the pool, which closes it if it is unusable. */
  release(client: AbandonedClient): void {
    if (!client.unusableReason || !client.isBusy) {
      client.release(client.unusableReason)
      return
    }
    this.#waiting.add(client)
    client.whenQuiet(() => {
      this.#apart.delete(client)
      if (this.#waiting.delete(client)) client.release(client.unusableReason)
      this.#setApart()
    })
    this.#setApart()
  }

  cut(reason: Error): void {
    for (const client of [...this.#apart, ...this.#waiting]) client.cut(reason)
  }

  #setApart(): void {
    for (const client of this.#waiting) {
      if (this.#apart.size >= this.#max) return
      this.#waiting.delete(client)
      this.#apart.add(client)
      client.release(client.unusableReason)
    }
  }
}
