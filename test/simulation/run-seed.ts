import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Logger } from '../../src/platform/logging/logger.ts'
import { seededRandom } from '../support/random-expressions.ts'
import { createActions } from './actions.ts'
import { checkEnd } from './check-end.ts'
import { Client } from './client.ts'
import { Faults } from './faults.ts'
import { History } from './history.ts'
import { Instance, type Shared } from './instance.ts'
import { type DatabaseSource, START_TIME } from './marketplace.ts'
import { type Arrival, Bucket, SCHEME, SimulatedIds } from './ports.ts'
import { Scheduler } from './scheduler.ts'
import type { Step } from './steps.ts'
import { countWork, isDone, lastEvent } from './stored-work.ts'

export interface SeedOptions {
  seed: number
  steps: readonly Step[]
  source: DatabaseSource
  logger: Logger
  /** Calls that start in one turn. */
  parallelCalls: number
  trace?: ((line: string) => void) | undefined
}

export interface Violation {
  rule: string
  details: string
}

export interface SeedResult {
  violations: Violation[]
  turns: number
  requests: number
  faults: number
  crashes: number
  stalls: number
  notifications: number
}

const INSTANCES = 2
// A call takes less, but then workers would poll for the first time after hundreds of calls.
const TURN_MILLISECONDS = 10
// A seed takes hundreds. More is a loop that would never end.
const MAX_TURNS = 15_000
// While work is left at the end, time passes: first in the steps of polls, then in those of leases and backoffs.
const DRAIN_MILLISECONDS = [...Array(20).fill(1_000), ...Array(60).fill(31_000), ...Array(40).fill(310_000)]

/** Plays the steps of a seed and checks what must be true. */
export async function runSeed({ seed, steps, source, logger, parallelCalls, trace }: SeedOptions): Promise<SeedResult> {
  const random = seededRandom(seed ^ 0x5eed)
  const clock = new ManualClock(START_TIME)
  const database = await source.open()
  const violations: Violation[] = []
  const violate = (rule: string, details: string) => {
    trace?.(`VIOLATION ${rule}: ${details}`)
    violations.push({ rule, details })
  }
  const faults = new Faults()
  const scheduler = new Scheduler({
    random,
    faults,
    parallelCalls,
    onTurn: () => clock.advance(TURN_MILLISECONDS),
    onStall: (milliseconds) => clock.advance(milliseconds),
    trace,
  })
  const bucket = new Bucket()
  const arrivals: Arrival[] = []
  const history = new History()
  const shared: Shared = {
    database,
    clock,
    ids: new SimulatedIds(),
    logger,
    bucket,
    arrivals,
    scheduler,
    delayMilliseconds: seed % 3 === 0 ? 2_000 : 0,
    wakesWorker: seed % 2 === 0,
  }
  const instances: Instance[] = []
  let started = 0
  let isOver = false
  const startInstance = (position: number) => {
    const instance = new Instance(`instance-${++started}`)
    instances[position] = instance
    instance.start(shared).catch((error: unknown) => {
      // A process that cannot start is started again.
      if (!instance.isDead) trace?.(`${instance.name} did not start: ${String(error)}`)
      if (!instance.isDead) instance.die()
    })
    void instance.died.then(() => isOver || startInstance(position))
  }
  for (let position = 0; position < INSTANCES; position++) startInstance(position)

  const dependencies = {
    scheduler,
    clock,
    marketplace: source.marketplace,
    history,
    random,
    instances: () => instances,
    violate,
  }
  const client = new Client(dependencies)
  const perform = createActions({
    ...dependencies,
    client,
    steps: new Map(steps.map((step) => [step.id, step])),
    put: (url, content) => bucket.put(url.slice(SCHEME.length), Buffer.from(content), clock.now()),
    lastEvent: () => lastEvent(database),
  })
  const running = new Set<Promise<unknown>>()
  const start = (step: Step) => {
    trace?.(`STEP ${JSON.stringify(step)}`)
    if (step.do === 'advance') return clock.advance(step.milliseconds)
    if (step.do === 'fault') return faults.arm(step.dependency, step.kind, step.calls)
    if (step.do === 'crash') return instances[step.instance]?.planCrash(step)
    if (step.do === 'stall') return instances[step.instance]?.planStall(step)
    const work: Promise<unknown> = perform(step)
      .catch((error: unknown) => violate('clients understand responses', `${JSON.stringify(step)}: ${String(error)}`))
      .finally(() => running.delete(work))
    running.add(work)
  }

  /** Lets everything run that can run now. */
  const runTurns = async (limit: number) => {
    for (let turn = 0; turn < limit && scheduler.turn < MAX_TURNS; turn++) if (!(await scheduler.runTurn())) return
  }

  await runTurns(500)
  for (const step of steps) {
    await runTurns(step.pause)
    start(step)
  }
  faults.clear()
  for (const instance of instances) instance.cancelPlans()
  await runTurns(MAX_TURNS)
  for (const milliseconds of DRAIN_MILLISECONDS) {
    if (running.size === 0 && isDone(await countWork(database, clock.now()))) break
    clock.advance(milliseconds)
    await runTurns(MAX_TURNS)
  }
  if (scheduler.turn >= MAX_TURNS) violate('all work ends', `not after ${MAX_TURNS} turns`)
  if (running.size > 0) violate('every request gets a response', `${running.size} requests got none`)
  const checks = checkEnd({ ...dependencies, client, database, bucket, arrivals, steps })
  let isChecked = false
  void checks
    .catch((error: unknown) => violate('the end can be checked', String(error)))
    .finally(() => (isChecked = true))
  while (!isChecked && scheduler.turn < MAX_TURNS) await scheduler.runTurn()

  isOver = true
  for (const instance of instances) instance.die()
  await database.close()
  return {
    violations,
    turns: scheduler.turn,
    requests: history.requests,
    faults: faults.injected,
    crashes: scheduler.crashes,
    stalls: scheduler.stalls,
    notifications: arrivals.length,
  }
}
