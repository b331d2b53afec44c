import { describe, expect, test } from 'vitest'
import { readAll, readEvents, type StreamedEvent } from '../../support/event-stream.ts'
import { FeedsClient, patch } from '../../support/feeds.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'
import { waitFor } from '../../support/wait-for.ts'

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000
const quietLife = { ordersPerDay: 0, competitors: 0 }

async function openStream({ url }: TestSouk, query = '') {
  const response = await fetch(`${url}/_souk/progress${query}`)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  return readEvents(response.body as AsyncIterable<Uint8Array>)
}

async function nextEvent(stream: AsyncGenerator<StreamedEvent>): Promise<StreamedEvent> {
  const { value, done } = await stream.next()
  if (done) throw new Error('The stream has ended')
  return value
}

describe('the progress of long work', () => {
  test('reports how far life is after a jump, and ends when nothing is due', async () => {
    const souk = await startTestSouk()
    await souk.life.start(quietLife)
    souk.clock.advance(WEEK_MILLISECONDS)
    const events = await readAll(await openStream(souk, '?until=idle'))
    expect(events[0]).toMatchObject({ event: 'progress', data: { task: 'life', done: 0 } })
    expect(events[0]?.data.total).toBeGreaterThan(600)
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['end', 'idle'])
    expect(new Date((await souk.life.status()).until ?? 0)).toEqual(souk.clock.now())
  })

  test('reports how many messages of a feed are applied, and of how many, while it is processed', async () => {
    const souk = await startTestSouk()
    const feeds = new FeedsClient(souk)
    const change = { op: 'replace', path: '/attributes/color', value: [{ value: 'Red' }] }
    const messages = Array.from({ length: 4_000 }, () => patch('SOUK-SHOE-001', change))
    const stream = await openStream(souk)
    const feedId = await feeds.submitted(feeds.document(messages))
    const { data } = await nextEvent(stream)
    expect(data).toEqual({
      task: `feed ${feedId}`,
      done: expect.any(Number),
      total: 4_000,
      message: `${data.done} messages of JSON_LISTINGS_FEED are applied`,
    })
    // A fast machine may have applied all of them, but has not written the result yet: then there would be no event.
    expect(data.done).toBeLessThanOrEqual(4_000)
    const rest = await readAll(await openStream(souk, '?until=idle'))
    expect(rest.at(-1)).toEqual({ event: 'idle', data: {} })
    expect((await feeds.feed(feedId)).processingStatus).toBe('DONE')
  })

  test('ends at once if nothing is due', async () => {
    const souk = await startTestSouk()
    expect(await readAll(await openStream(souk, '?until=idle'))).toEqual([{ event: 'idle', data: {} }])
  })

  test('is streamed across a reset, which does not wait for the reader, until the marketplace stops', async () => {
    const souk = await startTestSouk()
    const stream = await openStream(souk)
    await souk.reset()
    await souk.life.start(quietLife)
    // So far that the work takes longer than the stream needs to notice it.
    souk.clock.advance(52 * WEEK_MILLISECONDS)
    expect(await nextEvent(stream)).toMatchObject({ event: 'progress', data: { task: 'life' } })
    await souk.life.stop()
    await souk.stop()
    const rest = await readAll(stream)
    expect(rest.every(({ event }) => event === 'progress' || event === 'end')).toBe(true)
  })

  test('has 100 readers at most, and one that leaves makes room', async () => {
    const souk = await startTestSouk()
    const leave = new AbortController()
    const open = () => fetch(`${souk.url}/_souk/progress`, { signal: leave.signal })
    await Promise.all(Array.from({ length: 100 }, open))
    expect((await fetch(`${souk.url}/_souk/progress`)).status).toBe(400)
    leave.abort()
    await waitFor(
      () => fetch(`${souk.url}/_souk/progress?until=idle`),
      ({ status }) => status === 200,
    )
  })

  test('refuses unknown parameters', async () => {
    const souk = await startTestSouk()
    for (const query of ['until=later', 'til=idle']) {
      expect(errorOf(await souk.get(`/_souk/progress?${query}`)).status).toBe(400)
    }
  })
})
