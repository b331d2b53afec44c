import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createJobGauges, measureJobs } from '../../src/platform/jobs/job-metrics.ts'
import { PostponedError } from '../../src/platform/jobs/port.ts'
import { claimJobs } from '../../src/platform/jobs/store.ts'
import type { Metric, Sample } from '../../src/platform/metrics/port.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { createJobFixture, handler, type JobFixture, LEASE_SECONDS, recordName } from '../support/jobs.ts'

const SECOND = 1000

describe.each(Object.entries(kindsOnDisk))('metrics of jobs on %s', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  const enqueue = (kind: string, seconds: number) =>
    workshop.enqueue({
      kind,
      payload: { name: kind },
      runAt: new Date(workshop.clock.now().getTime() + seconds * SECOND),
    })

  test('count the jobs of each kind, and how long the oldest that is due has waited', async () => {
    const gauges = createJobGauges(workshop)
    await enqueue('late', 10)
    await enqueue('late', 20)
    await enqueue('future', 3600)
    workshop.clock.advance(40 * SECOND)
    expect(await valuesOf(gauges, 'souk_jobs_of_kind')).toEqual({ late: 2, future: 1 })
    expect(await valuesOf(gauges, 'souk_job_delay_seconds')).toEqual({ late: 30, future: 0 })
  })

  test('a job whose worker is gone has waited since the end of its lease', async () => {
    const gauges = createJobGauges(workshop)
    await enqueue('abandoned', 0)
    const { database, clock } = workshop
    const leaseEnds = new Date(clock.now().getTime() + LEASE_SECONDS * SECOND)
    const due = { now: clock.now(), kinds: ['abandoned'], except: [], limit: 1 }
    await database.transact((tx) => claimJobs(tx, database.dialect, { ...due, lease: 'held', leaseEnds }))
    clock.advance(10 * SECOND)
    expect(await valuesOf(gauges, 'souk_job_delay_seconds')).toEqual({ abandoned: 0 })
    clock.advance(LEASE_SECONDS * SECOND)
    expect(await valuesOf(gauges, 'souk_job_delay_seconds')).toEqual({ abandoned: 10 })
  })

  test('measure runs by kind and result, and count a postponed job as no failure', async () => {
    const postpone = handler(() => {
      throw new PostponedError('later', () => new Date(workshop.clock.now().getTime() + SECOND))
    })
    const { handlers, metrics } = measureJobs({ record: recordName, postpone, broken: handler(() => fail()) })
    const runner = workshop.startRunner(handlers)
    for (const kind of ['record', 'postpone', 'broken']) await enqueue(kind, 0)
    await runner.idle()
    const samples = (await metrics[0]?.read()) ?? []
    const counted = samples.filter(({ metricName }) => metricName === 'souk_job_duration_seconds_count')
    expect(counted.map(({ labels: { kind, result }, value }) => [kind, result, value]).sort()).toEqual([
      ['broken', 'failed', 1],
      ['postpone', 'ok', 1],
      ['record', 'ok', 1],
    ])
  })
})

const fail = () => Promise.reject(new Error('broken'))

async function valuesOf(metrics: readonly Metric[], name: string): Promise<Record<string, number>> {
  const samples: readonly Sample[] = (await metrics.find((metric) => metric.name === name)?.read()) ?? []
  return Object.fromEntries(samples.map(({ labels, value }) => [labels.kind, value]))
}
