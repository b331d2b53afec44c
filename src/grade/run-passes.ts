import { undefinedIfMissing } from '../acts/act-error.ts'
import type { Souk } from '../public-types.ts'
import { CALM, failureOf } from './grade.ts'
import { type Call, type Pass, toCall } from './pass.ts'

export interface RunOptions {
  souk: Pick<Souk, 'reset' | 'requests' | 'incidents' | 'faults'>
  /** Runs the command, with an incident or in calm. Resolves with its exit code. */
  run(incident: string | undefined): Promise<number>
  /** Whether a user wants to end. */
  isInterrupted(): boolean
  /** Chooses the incidents after the calm run. */
  chooseIncidents(calm: Pass): string[]
  progress(line: string): void
}

/**
 * Runs the command in a calm marketplace and then once with each incident, each time in a new marketplace, until a user
 * wants to end.
 */
export async function runPasses({ souk, run, isInterrupted, chooseIncidents, progress }: RunOptions): Promise<Pass[]> {
  progress('a calm run')
  const calm = await runPass(CALM)
  // What fails without an incident says nothing about incidents.
  if (failureOf(calm) !== undefined || isInterrupted()) return [calm]
  const passes = [calm]
  const incidents = chooseIncidents(calm)
  for (const [index, incident] of incidents.entries()) {
    progress(`${incident} (${index + 1} of ${incidents.length})`)
    const pass = await runPass(incident)
    passes.push(pass)
    if (isInterrupted()) break
  }
  return passes

  async function runPass(name: string): Promise<Pass> {
    await souk.reset()
    await souk.requests.clear()
    if (name !== CALM) await souk.incidents.start(name)
    // A reset removes it.
    const marker = await souk.faults.add({ name: 'souk grade', action: { kind: 'throttle' }, enabled: false })
    const { cleared: clearedBefore } = await souk.requests.list({ limit: 1 })
    const exitCode = await run(name === CALM ? undefined : name)
    const { calls, dropped, cleared } = await readLog(souk.requests)
    const rules = (await souk.incidents.list()).find((one) => one.name === name)?.faults
    const isMarked = (await souk.faults.list()).some(({ id }) => id === marker.id)
    const wasReset = !isMarked || rules?.length === 0
    const hits = rules?.reduce((sum, { hits }) => sum + hits, 0)
    return { name, exitCode, hits, calls, dropped, cleared: cleared - clearedBefore, wasReset }
  }
}

const PAGE_SIZE = 200

/** All requests of the log, oldest first. */
async function readLog(log: Souk['requests']): Promise<Pick<Pass, 'calls' | 'dropped' | 'cleared'>> {
  const calls: Call[] = []
  let missing = 0
  for (let cursor: string | undefined; ; ) {
    const page = await log.list({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) })
    // A process that the command left behind may still send requests, which make others leave the log.
    const details = await Promise.all(page.requests.map(({ id }) => log.get(id).catch(undefinedIfMissing)))
    const found = details.filter((detail) => detail !== undefined)
    missing += details.length - found.length
    calls.push(...found.map(toCall))
    cursor = page.nextCursor
    if (cursor === undefined) return { calls: calls.reverse(), dropped: page.dropped + missing, cleared: page.cleared }
  }
}
