import { join } from 'node:path'
import { alternate } from './support/alternate.ts'
import { residentMegabytes } from './support/resident-memory.ts'
import { type SoukProcess, startSouk } from './support/souk-process.ts'
import { atMost, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const ROUNDS = { warmUps: 3, counted: 15 }
const FORKS = 50

/** The powers over the state of the demo marketplace, over HTTP. */
export async function measureControl(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const added = await measureForkMemory(join(folder.path, 'forked'))
  await using souk = await startSouk(join(folder.path, 'data'))
  await post(souk, '/_souk/snapshots', { name: 'start' })
  const forks: string[] = []
  const times = await alternate(ROUNDS, 'ms', {
    reset: () => time(souk, '/_souk/reset'),
    snapshot: () => time(souk, '/_souk/snapshots', { name: 'again', replace: true }),
    restore: () => time(souk, '/_souk/snapshots/start/restore'),
    fork: () => timeFork(souk, forks),
  })
  return [
    atMost(20, 'reset of the demo marketplace', 'ms', times.reset),
    atMost(20, 'snapshot of the demo marketplace', 'ms', times.snapshot),
    atMost(20, 'restore of the demo marketplace', 'ms', times.restore),
    atMost(30, 'fork of the demo marketplace, until its first response', 'ms', times.fork),
    atMost(150, `memory of ${FORKS} forks that have served a request`, 'MB', added),
  ]
}

/** In a process that has had no forks before: it would use their memory again. */
async function measureForkMemory(data: string): Promise<number> {
  await using souk = await startSouk(data)
  await post(souk, '/_souk/reset', {})
  const before = residentMegabytes(souk.pid)
  for (let count = 0; count < FORKS; count++) await timeFork(souk, [])
  return residentMegabytes(souk.pid) - before
}

async function post({ url }: SoukProcess, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

/** With a request, because a fork that cannot serve one is of no use. */
async function timeFork(souk: SoukProcess, forks: string[]): Promise<number> {
  const startedAt = performance.now()
  const { id, url } = await post(souk, '/_souk/forks', {})
  const response = await fetch(`${url}/healthz`)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  forks.push(String(id))
  return performance.now() - startedAt
}

async function time(souk: SoukProcess, path: string, body: object = {}): Promise<number> {
  const startedAt = performance.now()
  await post(souk, path, body)
  return performance.now() - startedAt
}
