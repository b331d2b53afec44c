import { expect, test } from 'vitest'
import { CALM } from './grade.ts'
import { type RunOptions, runPasses } from './run-passes.ts'

const souk = {
  reset: async () => {},
  requests: { clear: async () => {}, list: async () => ({ requests: [], dropped: 0 }) },
  incidents: { start: async () => {}, list: async () => [] },
} as unknown as RunOptions['souk']

test.each([
  [1, [CALM]],
  [2, [CALM, 'one']],
])(
  'no run follows the one in which a user interrupts a command that ends with 0: run %i',
  async (interrupted, runs) => {
    let started = 0
    const passes = await runPasses({
      souk,
      async run() {
        started++
        return 0
      },
      isInterrupted: () => started >= interrupted,
      chooseIncidents: () => ['one', 'two', 'three'],
      progress() {},
    })
    expect(passes.map(({ name }) => name)).toEqual(runs)
  },
)
