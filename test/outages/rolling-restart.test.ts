import { expect, test } from 'vitest'
import { Balancer } from '../support/balancer.ts'
import { startProcesses } from '../support/service-processes.ts'

const CLIENTS = 16
const ROUNDS = 2
const path = '/operator/v1/marketplaces'

type Serve = Awaited<ReturnType<Awaited<ReturnType<typeof startProcesses>>['startServe']>>

test('a rolling restart behind a load balancer loses no request', async () => {
  const place = await startProcesses({ leaseSeconds: 30, env: { SOUK_DRAIN_SECONDS: '3' } })
  const headers = { authorization: `Bearer ${place.env.SOUK_OPERATOR_KEY}`, 'content-type': 'application/json' }
  const balancer = new Balancer()
  const outcomes = new Map<string, number>()
  let isOver = false

  const marketplace = (id: number) =>
    JSON.stringify({
      marketplaces: [
        {
          marketplaceId: `M${id}`,
          countryCode: 'FR',
          currencyCode: 'EUR',
          languageCode: 'fr_FR',
          name: 'Souk',
          domainName: 'souk.example',
        },
      ],
    })
  const load = async (client: number) => {
    for (let count = 0; !isOver; count++) {
      const sent =
        count % 4 === 0
          ? balancer.send({ method: 'PUT', path, headers, body: marketplace(client) })
          : balancer.send({ method: 'GET', path, headers })
      const outcome = await sent.then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }

  const serving: Serve[] = [await place.startServe(), await place.startServe()]
  for (const { url } of serving) await balancer.add(url)
  const clients = Array.from({ length: CLIENTS }, (_, client) => load(client))
  for (let restart = 0; restart < ROUNDS * 2; restart++) {
    const old = serving.shift() as Serve
    expect(await old.serve.stop()).toMatchObject({ code: 0, stderr: '' })
    balancer.remove(old.url)
    const fresh = await place.startServe()
    await balancer.add(fresh.url)
    serving.push(fresh)
  }
  isOver = true
  await Promise.all(clients)
  balancer.stop()

  const { 200: answered = 0, ...failed } = Object.fromEntries(outcomes)
  expect(failed).toEqual({})
  expect(answered).toBeGreaterThan(100)
  console.log(`${answered} requests over ${ROUNDS * 2} restarts`)
})
