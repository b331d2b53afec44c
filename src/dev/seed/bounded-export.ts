import { ApiError } from '../../platform/errors/api-error.ts'
import type { ExportPart } from './export-seed.ts'
import { Seed } from './schema.ts'
import { MAX_SEED_BYTES } from './seed-limits.ts'

/** Passes the parts on and throws before there are more items than an import takes: the export would be of no use. */
export async function* withinLimits(parts: AsyncIterable<ExportPart>): AsyncGenerator<ExportPart> {
  const counts = new Map<string, number>()
  for await (const part of parts) {
    if ('section' in part) {
      const { section, items } = part
      const count = (counts.get(section) ?? 0) + items.length
      counts.set(section, count)
      const { maxItems = Infinity } = Seed.properties[section] as { maxItems?: number }
      if (count > maxItems) throw tooLarge(`An import takes ${maxItems} ${section} at most.`)
    }
    yield part
  }
}

/** The texts of an export, one after another. Throws when they become longer than an import takes. */
export class BoundedText {
  readonly #maxBytes: number
  readonly #texts: string[] = []
  #bytes = 0

  constructor(maxBytes = MAX_SEED_BYTES) {
    this.#maxBytes = maxBytes
  }

  add(text: string): void {
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > this.#maxBytes) throw tooLarge(`An import takes ${this.#maxBytes / 1024 / 1024} MiB at most.`)
    this.#texts.push(text)
  }

  toString(): string {
    return this.#texts.join('')
  }
}

const tooLarge = (limit: string) =>
  new ApiError(
    'InvalidInput',
    'The marketplace is too large for a seed file.',
    `${limit} A snapshot, which needs SQLite, has no limit.`,
  )
