import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startMeasured } from './measured-process.ts'
import type { Memory } from './memory.ts'

const PROCESS = fileURLToPath(new URL('./order-feed-process.ts', import.meta.url))
// The document takes 32 MiB as text. Its elements would take 1.2 GB: a process that keeps them crashes.
const HEAP_MEGABYTES = 200
/** Of the document, the connection of its upload, and the heap. */
const MAX_GROWTH_MEGABYTES = 400

describe('an order feed of 32 MiB of empty elements is processed in bounded memory', () => {
  test.each(['one message', 'many messages'])('in %s', async (place) => {
    const { ended } = startMeasured<Memory & { processingStatus: string }>(PROCESS, [place], HEAP_MEGABYTES)
    const { processingStatus, idle, most } = await ended
    console.log(`32 MiB of empty elements in ${place}: idle ${idle.toFixed(1)} MB, most ${most.toFixed(1)} MB`)
    expect(processingStatus).toBe('DONE')
    expect(most - idle).toBeLessThan(MAX_GROWTH_MEGABYTES)
  })
})
