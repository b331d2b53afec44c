import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { startProcesses } from '../support/service-processes.ts'

interface Export {
  resourceSpans: { resource: object; scopeSpans: { spans: { traceId: string; name: string; spanId: string }[] }[] }[]
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const exports: Export[] = []
const collector = createServer(async (request, response) => {
  exports.push((await json(request)) as Export)
  response.end('{}')
})
afterAll(() => void collector.close())

test('souk serve exports the trace of a request with its queries, before it exits', async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const processes = await startProcesses({ leaseSeconds: 30, env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })
  const { serve, url } = await processes.startServe()
  const headers = {
    authorization: 'Bearer an-operator-key-for-tests',
    traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
  }
  expect((await fetch(`${url}/operator/v1/jobs?state=WAITING`, { headers })).status).toBe(200)
  expect((await serve.stop()).code).toBe(0)
  const spans = exports.flatMap(({ resourceSpans }) => resourceSpans[0]?.scopeSpans[0]?.spans ?? [])
  const ours = spans.filter(({ traceId }) => traceId === TRACE)
  expect(ours.find(({ name }) => name === 'listJobs')).toMatchObject({ kind: 2, parentSpanId: 'b7ad6b7169203331' })
  const query = ours.find(({ name }) => name === 'query')
  expect(query).toMatchObject({ parentSpanId: ours.find(({ name }) => name === 'listJobs')?.spanId })
  expect(JSON.stringify(query)).toContain('from \\"jobs\\"')
  expect(JSON.stringify(exports[0]?.resourceSpans[0]?.resource)).toContain('souk-serve')
})
