import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'
import { type ChildService, startChildService, stopChild, watchChild } from './support/child.ts'
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
// The first events load modules, compile code and prepare statements.
const WARM_UP = 1_000
// Without a single message: a loaded machine is slow, but goes on.
const GIVE_UP_AFTER_MILLISECONDS = 60_000
// Looking costs PostgreSQL time, too.
const LOOK_EVERY_MILLISECONDS = 50

interface Measurement {
  /** Events per second, from the commit of the events until their notifications have arrived. */
  rate: number
  /** Milliseconds of CPU per event, of workers and PostgreSQL. */
  cpu: number
}

type Sink = Pick<ChildService<object, { url: string; received: number }>, 'ask'>

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
        const { client, measure } = relay
        offers[name].push(await measure(workers, OFFERS, 10, (count, n) => appendOfferChanges(client, count, n)))
        orders[name].push(await measure(workers, ORDERS, 1, (count, n) => appendOrderChanges(client, count, n)))
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

async function openRelay(url: string, sink: Sink, folder: string, souk: string) {
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

  /** Milliseconds of CPU by process. Not of our own connection, which appends the events and looks for their end. */
  const cpuOf = async (workers: readonly number[]) => {
    const { rows } = await client.query(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    const backends = rows.map((row) => row.pid as number)
    return { workers: cpuByProcess(workers), backends: cpuByProcess(backends) }
  }

  const walPosition = async (): Promise<number> =>
    Number((await client.query("select pg_current_wal_insert_lsn() - '0/0' as position")).rows[0].position)

  return {
    client,
    close: () => client.end(),

    async measure(workers: number, events: number, subscribers: number, append: Append) {
      await client.query('vacuum analyze')
      const children = await Promise.all(Array.from({ length: workers }, startWorker))
      await append(Math.min(WARM_UP, events), rounds++)
      await untilEmpty(client, sink)
      const pids = children.map(({ pid }) => pid as number)
      const before = (await sink.ask({})).received
      const cpuBefore = await cpuOf(pids)
      await append(events, rounds++)
      const walBefore = await walPosition()
      const startedAt = performance.now()
      await untilEmpty(client, sink)
      const milliseconds = performance.now() - startedAt
      const cpuAfter = await cpuOf(pids)
      const wal = ((await walPosition()) - walBefore) / events
      const sent = (await sink.ask({})).received - before
      if (sent < events * subscribers) throw new Error(`${sent} of ${events * subscribers} messages have arrived`)
      await Promise.all(children.map(stopChild))
      const ofWorkers = usedSince(cpuBefore.workers, cpuAfter.workers) / events
      const ofBackends = usedSince(cpuBefore.backends, cpuAfter.backends) / events
      const rate = (events / milliseconds) * 1000
      logProgress(
        `${workers} workers: ${rate.toFixed(0)} events/s; each took ${(ofWorkers * 1000).toFixed(0)} µs of CPU of workers, ` +
          `${(ofBackends * 1000).toFixed(0)} µs of PostgreSQL and ${wal.toFixed(0)} bytes of its log`,
      )
      return { rate, cpu: ofWorkers + ofBackends }
    },
  }
}

type Append = (events: number, round: number) => Promise<void>

const cpuByProcess = (pids: readonly number[]) => new Map(pids.map((pid) => [pid, cpuMilliseconds(pid)]))

const usedSince = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) =>
  [...after].reduce((sum, [pid, milliseconds]) => sum + milliseconds - (before.get(pid) ?? 0), 0)

async function untilEmpty(client: pg.Client, sink: Sink): Promise<void> {
  const left =
    'select exists (select 1 from events) or exists (select 1 from fan_outs) or exists (select 1 from deliveries) ' +
    'or exists (select 1 from delivery_bundles) as any'
  let received = 0
  let receivedAt = performance.now()
  while ((await client.query(left)).rows[0].any) {
    const now = (await sink.ask({})).received
    if (now > received) receivedAt = performance.now()
    received = now
    if (performance.now() - receivedAt > GIVE_UP_AFTER_MILLISECONDS) throw new Error('The notifications did not arrive')
    await sleep(LOOK_EVERY_MILLISECONDS)
  }
}
