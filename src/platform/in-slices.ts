import { endOfTick } from './end-of-tick.ts'

const SLICE_MILLISECONDS = 10

/** Yields items, and lets other work of the process go on after each slice of time: each may take longer than a request. */
export async function* inSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let startedAt = performance.now()
  for (const item of items) {
    yield item
    if (performance.now() - startedAt < SLICE_MILLISECONDS) continue
    await endOfTick()
    startedAt = performance.now()
  }
}
