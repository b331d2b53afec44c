import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo } from '../src/dev/demo/index.ts'
import { alternate } from './support/alternate.ts'
import { fetchResponse, fetchToken } from './support/demo-client.ts'
import { residentMegabytes } from './support/resident-memory.ts'
import { startSouk } from './support/souk-process.ts'
import { atMost, type Figure } from './support/table.ts'
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
    existingFolder: () => timeStart(existing),
    newFolder: () => timeStart(join(folder.path, `new-${++made}`)),
    bareNode: timeBareNode,
  })
  const { idle } = await alternate(MEMORY_ROUNDS, 'MB', { idle: () => measureIdleMemory(existing) })
  return [
    atMost(
      1000,
      'souk dev answers, on an existing data folder, beside node -e 0',
      'ms',
      started.existingFolder,
      started.bareNode,
    ),
    atMost(2000, 'souk dev answers, on a new data folder, beside node -e 0', 'ms', started.newFolder, started.bareNode),
    atMost(120, 'resident memory of souk dev when idle', 'MB', idle),
  ]
}

async function timeStart(data: string): Promise<number> {
  const startedAt = performance.now()
  await using souk = await startSouk(data)
  const { ok } = await fetch(`${souk.url}/healthz`)
  if (!ok) throw new Error('souk dev started but is not healthy')
  return performance.now() - startedAt
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
