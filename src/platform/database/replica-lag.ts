/** A position in the write-ahead log, such as `16/B374D848`. */
export function parsePosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const MAX_SAMPLES = 1_000

/** How long ago the primary was already further than the replica is now. */
export class ReplicaLag {
  /** Positions of the primary that the replica has not reached, oldest first. */
  #missing: { position: bigint; readAt: number }[] = []
  #replayed = 0n

  /** `now` in milliseconds. */
  primaryIsAt(position: bigint, now: number): void {
    // The oldest decides, so the newest can be left out.
    if (position > this.#replayed && this.#missing.length < MAX_SAMPLES) this.#missing.push({ position, readAt: now })
  }

  replicaIsAt(position: bigint): void {
    this.#replayed = position
    this.#missing = this.#missing.filter((sample) => sample.position > position)
  }

  millisecondsAt(now: number): number {
    const [oldest] = this.#missing
    return oldest ? now - oldest.readAt : 0
  }
}
