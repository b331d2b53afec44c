import { expect, test } from 'vitest'
import { ActError } from '../acts/act-error.ts'
import { CALM, failureOf } from './grade.ts'
import { type RunOptions, runPasses } from './run-passes.ts'

const logged = (id: string) => ({
  id,
  operation: 'getOrder',
  request: { headers: {} },
  startedAt: '2026-06-01T12:00:00Z',
  subjects: {},
})
const souk = {
  reset: async () => {},
  requests: {
    clear: async () => {},
    list: async () => ({ requests: [{ id: 'one' }], dropped: 0, cleared: 0 }),
    get: async (id: string) => logged(id),
  },
  incidents: { start: async () => {}, list: async () => [] },
  faults: { add: async () => ({ id: '1' }), list: async () => [{ id: '1' }] },
} as unknown as RunOptions['souk']

/** With an incident to follow a calm run that passes. */
const runOn = (parts: object, run: RunOptions['run'] = async () => 0) =>
  runPasses({
    souk: { ...souk, ...parts } as RunOptions['souk'],
    run,
    isInterrupted: () => false,
    chooseIncidents: () => ['one'],
    progress() {},
  })

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

test('no run follows a calm one in which the command sends no request', async () => {
  const passes = await runOn({
    requests: { ...souk.requests, list: async () => ({ requests: [], dropped: 0, cleared: 0 }) },
  })
  expect(passes.map(({ name }) => name)).toEqual([CALM])
})

test('a command that resets the marketplace fails, because the incident and the log are gone', async () => {
  const faults = { ...souk.faults, list: async () => [] }
  const [calm] = await runOn({ faults })
  expect(calm && failureOf(calm)).toContain('reset Souk')
})

test('a command that clears the log of requests fails, because what it did before is gone', async () => {
  let cleared = 7
  const requests = { ...souk.requests, list: async () => ({ requests: [{ id: 'one' }], dropped: 0, cleared }) }
  const [calm] = await runOn({ requests }, async () => {
    cleared += 3
    return 0
  })
  expect(calm && failureOf(calm)).toContain('cleared the log of requests, after 3')
})

test('a request that leaves the log while it is read is counted, and others are judged', async () => {
  const requests = {
    clear: async () => {},
    list: async () => ({ requests: [{ id: 'gone' }, { id: 'kept' }], dropped: 1, cleared: 0 }),
    async get(id: string) {
      if (id === 'gone') throw new ActError(404, [{ code: 'NotFound', message: 'The log has no request gone.' }])
      return logged(id)
    },
  }
  const [calm] = await runOn({ requests })
  expect(calm).toMatchObject({ calls: [{ id: 'kept' }], dropped: 2 })
})

test('a run keeps what checks need of bodies, and not the bodies', async () => {
  const filler = 'x'.repeat(100_000)
  const body = JSON.stringify({ filler, nextToken: 'page-2', reports: [{ processingStatus: 'DONE', filler }] })
  const message = { headers: { 'content-type': 'application/json' }, bytes: body.length, body }
  const times = { startedAt: '2026-06-01T12:00:00Z', time: '2026-06-01T12:00:00Z' }
  const requests = {
    clear: async () => {},
    list: async () => ({ requests: [{ id: 'a' }], dropped: 0, cleared: 0 }),
    get: async (id: string) => ({
      ...times,
      id,
      operation: 'getReports',
      outcome: 'completed',
      status: 200,
      subjects: {},
      request: message,
      response: message,
    }),
  }
  const [calm] = await runOn({ requests })
  expect(calm?.calls).toMatchObject([{ nextToken: 'page-2', states: [['processingStatus', 'DONE']] }])
  expect(JSON.stringify(calm).length).toBeLessThan(1_000)
})
