import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { RandomIds } from '../ids/random-ids.ts'
import { createLogger } from '../logging/logger.ts'
import { OtlpExporter } from './otlp-exporter.ts'
import { OtlpTracer } from './otlp-tracer.ts'

interface ExportedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
  status?: { code: number; message: string }
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const logger = await createLogger({ level: 'silent', pretty: false })
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function startTracer(sampledRatio = 1) {
  const spans: ExportedSpan[] = []
  const exporter = { add: (span: object) => void spans.push(span as ExportedSpan) }
  return { spans, tracer: new OtlpTracer({ exporter, ids: new RandomIds(), sampledRatio }) }
}

async function startCollector(status: number | 'silent') {
  const bodies: { resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[] }[] = []
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as (typeof bodies)[number])
    if (status !== 'silent') response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  return { bodies, exporter: new OtlpExporter({ url, headers: {}, serviceName: 'souk-serve', logger }) }
}

const resultsOf = (exporter: OtlpExporter) =>
  Object.fromEntries(exporter.metric.read().map(({ labels, value }) => [labels.result, value]))

describe('a trace', () => {
  test('continues that of the client, and work within it belongs to it', async () => {
    const { spans, tracer } = startTracer()
    const request = tracer.start('GET', { kind: 'server', traceparent: `00-${TRACE}-${PARENT}-01` })
    await request.within(() => tracer.run('query', { kind: 'client', onlyWithinTrace: true }, async () => 1))
    request.end({ name: 'getAccount', attributes: { 'http.response.status_code': 200 } })
    const [query, server] = spans as [ExportedSpan, ExportedSpan]
    expect(server).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'getAccount', kind: 2 })
    expect(query).toMatchObject({ traceId: TRACE, parentSpanId: server.spanId, name: 'query', kind: 3 })
    expect(server.attributes).toEqual([{ key: 'http.response.status_code', value: { intValue: '200' } }])
    expect(BigInt(server.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(server.startTimeUnixNano))
  })

  test.each([undefined, '', 'x', `00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`])(
    'starts here without a valid traceparent: %s',
    (traceparent) => {
      const { spans, tracer } = startTracer()
      tracer.start('GET', { kind: 'server', traceparent }).end()
      expect(spans[0]?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
      expect(spans[0]?.parentSpanId).toBeUndefined()
    },
  )

  test('is not recorded if the client, or the sampled ratio, says so', () => {
    const { spans, tracer } = startTracer(0)
    tracer.start('GET', { kind: 'server' }).end()
    expect(spans).toHaveLength(0)
    tracer.start('GET', { kind: 'server', traceparent: `00-${TRACE}-${PARENT}-01` }).end()
    expect(spans).toHaveLength(1)
    tracer.start('GET', { kind: 'server', traceparent: `00-${TRACE}-${PARENT}-00` }).end()
    expect(spans).toHaveLength(1)
  })

  test('is not started by a query of its own', async () => {
    const { spans, tracer } = startTracer()
    await tracer.run('query', { kind: 'client', onlyWithinTrace: true }, async () => 1)
    expect(spans).toHaveLength(0)
  })

  test('has the error of work that fails', async () => {
    const { spans, tracer } = startTracer()
    const fail = () => Promise.reject(new Error('no connection'))
    await expect(tracer.run('job note', { kind: 'internal' }, fail)).rejects.toThrow('no connection')
    expect(spans[0]?.status).toEqual({ code: 2, message: expect.stringContaining('no connection') })
  })
})

describe('the exporter', () => {
  test('posts all spans before it closes', async () => {
    const { bodies, exporter } = await startCollector(200)
    for (let index = 0; index < 700; index++) exporter.add({ index })
    await exporter.close()
    const posted = bodies.flatMap(({ resourceSpans }) => resourceSpans[0]?.scopeSpans[0]?.spans ?? [])
    expect(posted).toHaveLength(700)
    expect(resultsOf(exporter)).toEqual({ exported: 700, dropped: 0, failed: 0 })
  })

  test('drops what a silent collector leaves over, and closes in time', async () => {
    const { exporter } = await startCollector('silent')
    for (let index = 0; index < 5_000; index++) exporter.add({ index })
    const began = performance.now()
    await exporter.close()
    expect(performance.now() - began).toBeLessThan(5_000)
    // One request under way, and a full queue.
    expect(resultsOf(exporter)).toMatchObject({ exported: 0, dropped: 5_000 - 512 - 2_048 })
  })

  test('counts spans that a collector refuses', async () => {
    const { exporter } = await startCollector(500)
    exporter.add({})
    await exporter.close()
    expect(resultsOf(exporter)).toEqual({ exported: 0, dropped: 0, failed: 1 })
  })
})
