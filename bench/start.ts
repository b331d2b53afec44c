import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo } from '../src/dev/demo/index.ts'
import { alternate, measureRounds } from './support/alternate.ts'
import { fetchResponse, fetchToken, TOKEN_PATH } from './support/demo-client.ts'
import { installPrism, startPrism } from './support/prism.ts'
import { residentMegabytes } from './support/resident-memory.ts'
import { startSouk } from './support/souk-process.ts'
import { atMost, atMostTimes, type Figure } from './support/table.ts'
import { makeTempFolder } from './support/temp-folder.ts'

const START_ROUNDS = { warmUps: 1, counted: 5 }
const MEMORY_ROUNDS = { warmUps: 0, counted: 3 }
const IDLE_MILLISECONDS = 2_000

export async function measureStart(): Promise<Figure[]> {
  using folder = makeTempFolder()
  const existing = join(folder.path, 'existing')
  let made = 0
  const started = await alternate(START_ROUNDS, 'ms', {
    // The uncounted first round makes the folder that is there already in the others.
    firstToken: () => timeStart(existing, fetchToken),
    existingFolder: () => timeStart(existing, checkHealth),
    newFolder: () => timeStart(join(folder.path, `new-${++made}`), checkHealth),
    bareNode: timeBareNode,
  })
  const { idle } = await alternate(MEMORY_ROUNDS, 'MB', { idle: () => measureIdleMemory(existing) })
  const { firstToken, existingFolder, newFolder, bareNode } = started
  return [
    atMost(1000, 'souk dev grants a token, on an existing data folder, beside node -e 0', 'ms', firstToken, bareNode),
    atMost(1000, 'souk dev answers, on an existing data folder, beside node -e 0', 'ms', existingFolder, bareNode),
    atMost(2000, 'souk dev answers, on a new data folder, beside node -e 0', 'ms', newFolder, bareNode),
    atMost(100, 'resident memory of souk dev when idle', 'MB', idle),
    ...(await compareWithPrism(existing)),
  ]
}

async function compareWithPrism(existing: string): Promise<Figure[]> {
  if (!installPrism()) return []
  const times = await measureRounds(START_ROUNDS, 'ms', {
    ours: () => timeStart(existing, fetchToken),
    baseline: timePrism,
  })
  const memory = await measureRounds(MEMORY_ROUNDS, 'MB', {
    ours: () => measureIdleMemory(existing),
    baseline: measurePrismMemory,
  })
  return [
    atMostTimes(0.22, 'souk dev grants a token, over the first response of Prism', 'ms', times),
    atMostTimes(0.4, 'resident memory of souk dev when idle, over Prism', 'MB', memory),
  ]
}

async function timeStart(data: string, use: (url: string) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await using souk = await startSouk(data)
  await use(souk.url)
  return performance.now() - startedAt
}

async function checkHealth(url: string): Promise<void> {
  const { ok } = await fetch(`${url}/healthz`)
  if (!ok) throw new Error('souk dev started but is not healthy')
}

async function timeBareNode(): Promise<number> {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - startedAt
}

async function measureIdleMemory(data: string): Promise<number> {
  await using souk = await startSouk(data)
  const path = `/solicitations/v1/orders/${demo.orders.eligible[0]}?marketplaceIds=${demo.marketplaceId}`
  await fetchResponse(souk.url, path, await fetchToken(souk.url))
  await sleep(IDLE_MILLISECONDS)
  return residentMegabytes(souk.pid)
}

async function timePrism(): Promise<number> {
  const startedAt = performance.now()
  await using _prism = await requirePrism()
  return performance.now() - startedAt
}

async function measurePrismMemory(): Promise<number> {
  await using prism = await requirePrism()
  await sleep(IDLE_MILLISECONDS)
  return residentMegabytes(prism.pid)
}

async function requirePrism() {
  const prism = await startPrism(TOKEN_PATH)
  if (!prism) throw new Error('Prism is installed but did not start')
  return prism
}
