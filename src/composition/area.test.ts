import { expect, test } from 'vitest'
import { type Area, expandersOf, jobsOf } from './area.ts'

const area = (kinds: readonly string[]): Area => {
  const handler = { run: async () => {}, giveUp: async () => {} }
  return {
    routes: () => {},
    jobs: Object.fromEntries(kinds.map((kind) => [kind, handler])),
    sweeps: [],
    due: [],
    expanders: {},
  }
}

test('the jobs of all areas are handled', () => {
  const areas = [area(['processReport', 'fireReportSchedule']), area([]), area(['processFeed'])]
  expect(Object.keys(jobsOf(areas))).toEqual(['processReport', 'fireReportSchedule', 'processFeed'])
  expect(expandersOf(areas)).toEqual({})
})

test('two areas cannot handle the same kind of job', () => {
  expect(() => jobsOf([area(['processFeed']), area(['processFeed'])])).toThrow('processFeed')
})
