import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testDialect } from '../../support/databases.ts'

/** Prints what the control plane and the operator API make of times without a zone. */
const script = (module: string) => `
  import { startStandIn } from ${JSON.stringify(module)}
  const souk = await startStandIn()
  const headers = { authorization: 'Bearer ' + souk.demo.operatorKey }
  const send = async (method, url, payload) => (await souk.inject({ method, url, payload, headers })).json()
  const { time } = await send('POST', '/_souk/reset', { time: '2030-01-01T00:00:00' })
  const { now } = await send('POST', '/_souk/clock', { time: '2030-02-01T12:00:00', frozen: true })
  const { from, to } = await send('GET', '/operator/v1/usage?from=2030-01-31T12:00:00&to=2030-02-01T12:00:00')
  const action = { kind: 'status', status: 503 }
  const match = { operations: 'getProductTypeMetaSchema' }
  await souk.faults.add({ match, action, from: '2030-02-01T11:59:59', until: '2030-02-01T12:00:01Z' })
  const { status } = await fetch(souk.url + '/definitions/2020-09-01/metaSchema')
  await souk.stop()
  console.log(JSON.stringify({ time, now, from, to, status }))`

test.skipIf(testDialect === 'postgres')(
  'times without a zone are in UTC, whatever the zone of the machine',
  { timeout: 180_000 },
  async () => {
    const module = new URL('../../../src/stand-in/stand-in.ts', import.meta.url).href
    // A process of its own, because a worker thread does not see a change of TZ.
    const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script(module)]
    const env = { ...process.env, TZ: 'America/New_York' }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    const { time, ...rest } = JSON.parse(stdout)
    expect(time).toMatch(/^2030-01-01T00:0/)
    expect(rest).toEqual({
      now: '2030-02-01T12:00:00.000Z',
      from: '2030-01-31T12:00:00.000Z',
      to: '2030-02-01T12:00:00.000Z',
      status: 503,
    })
  },
)
