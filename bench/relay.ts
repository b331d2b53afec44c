import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'
import { startChildService, stopChild, watchChild } from './support/child.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { median } from './support/median.ts'
import { logProgress } from './support/progress.ts'
import { appendOfferChanges, appendOrderChanges, seedProducts, seedSubscribers } from './support/seed-relay.ts'
import { atLeast, atLeastAbsolute, atMostTimes, type Figure, type Round } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const SOUK = fileURLToPath(new URL('../bin/souk.js', import.meta.url))
const OFFERS = 2_000
const ORDERS = 10_000
const ROUNDS = 3
const GIVE_UP_AFTER_MILLISECONDS = 60_000
const LOOK_EVERY_MILLISECONDS = 10

interface Measurement {
  /** Events per second, from the commit of the events until their notifications have arrived. */
  rate: number
  /** Milliseconds of CPU per event, of workers and PostgreSQL. */
  cpu: number
}

/** How fast workers turn events into messages on PostgreSQL, and how much faster two workers are than one. */
export async function measureRelayWorkers(souk = SOUK): Promise<Figure[]> {
  using folder = makeTempFolder()
  const postgres = await startPostgres(['-c', 'fsync=on'])
  try {
    await using sink = startChildService<object, { url: string; received: number }>('./message-sink.ts')
    const relay = await openRelay(await postgres.createMigratedDatabase('relay'), sink, folder.path, souk)
    const offers = { one: [] as Measurement[], two: [] as Measurement[] }
    const orders = { one: [] as Measurement[], two: [] as Measurement[] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, workers] of [['one', 1] as const, ['two', 2] as const]) {
        offers[name].push(await relay.measure(workers, OFFERS, 10, (n) => appendOfferChanges(relay.client, OFFERS, n)))
        orders[name].push(await relay.measure(workers, ORDERS, 1, (n) => appendOrderChanges(relay.client, ORDERS, n)))
      }
    }
    await relay.close()
    const rates = ({ one, two }: typeof offers): Round[] =>
      two.map(({ rate }, index) => ({ ours: rate, baseline: one[index]?.rate ?? 0 }))
    const costs = ({ one, two }: typeof offers): Round[] =>
      two.map(({ cpu }, index) => ({ ours: cpu * 1000, baseline: (one[index]?.cpu ?? 0) * 1000 }))
    const offerRate = median(offers.one.map(({ rate }) => rate))
    return [
      atLeastAbsolute(1_000, 'offer changes with ten subscribers each, one worker', 'events/s', offerRate),
      atLeast(1.6, 'offer changes, two workers over one', 'events/s', rates(offers)),
      atMostTimes(1.2, 'CPU of an offer change, two workers over one', 'µs', costs(offers)),
      atLeast(1.6, 'order changes, two workers over one', 'events/s', rates(orders)),
      atMostTimes(1.2, 'CPU of an order change, two workers over one', 'µs', costs(orders)),
    ]
  } finally {
    await postgres.stop()
  }
}

async function openRelay(
  url: string,
  sink: { ask(question: object): Promise<{ url: string; received: number }> },
  folder: string,
  souk: string,
) {
  const client = new pg.Client(url)
  client.on('error', (error) => logProgress(String(error)))
  await client.connect()
  await seedSubscribers(client)
  await seedProducts(client, OFFERS)
  const env = {
    ...process.env,
    SOUK_DATABASE_URL: url,
    SOUK_DOCUMENTS_URL: pathToFileURL(folder).href,
    SOUK_PUBLIC_URL: 'https://souk.example',
    SOUK_OPERATOR_KEY: 'an-operator-key-for-the-bench',
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-the-bench',
    SOUK_SQS_ENDPOINT: (await sink.ask({})).url,
    // Several workers run at once.
    SOUK_WORKER_PORT: '0',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  }
  let rounds = 0

  async function startWorker() {
    const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, [souk, 'worker'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    watchChild(child)
    await once(child.stdout, 'data')
    child.stdout.pipe(process.stderr)
    return child
  }

  const cpuOf = async (workers: readonly number[]) => {
    const { rows } = await client.query("select pid from pg_stat_activity where backend_type = 'client backend'")
    const backends = rows.map((row) => row.pid as number)
    return [...workers, ...backends].reduce((sum, pid) => sum + cpuMilliseconds(pid), 0)
  }

  return {
    client,
    close: () => client.end(),

    async measure(workers: number, events: number, subscribers: number, append: (round: number) => Promise<void>) {
      await client.query('vacuum analyze')
      const children = await Promise.all(Array.from({ length: workers }, startWorker))
      // The first events load modules and compile code.
      await appendOrderChanges(client, 1_000, rounds++)
      await untilEmpty(client)
      const pids = children.map(({ pid }) => pid as number)
      const before = (await sink.ask({})).received
      const cpuBefore = await cpuOf(pids)
      await append(rounds++)
      const startedAt = performance.now()
      await untilEmpty(client)
      const milliseconds = performance.now() - startedAt
      const cpu = (await cpuOf(pids)) - cpuBefore
      const sent = (await sink.ask({})).received - before
      if (sent < events * subscribers) throw new Error(`${sent} of ${events * subscribers} messages have arrived`)
      await Promise.all(children.map(stopChild))
      const measured = { rate: (events / milliseconds) * 1000, cpu: cpu / events }
      logProgress(
        `${workers} workers: ${measured.rate.toFixed(0)} events/s, ${(measured.cpu * 1000).toFixed(0)} µs of CPU each`,
      )
      return measured
    },
  }
}

async function untilEmpty(client: pg.Client): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_AFTER_MILLISECONDS
  const left =
    'select exists (select 1 from events) or exists (select 1 from fan_outs) or exists (select 1 from deliveries) as any'
  while ((await client.query(left)).rows[0].any) {
    if (performance.now() > giveUpAt) throw new Error('The notifications did not arrive')
    await sleep(LOOK_EVERY_MILLISECONDS)
  }
}
