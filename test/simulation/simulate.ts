import { createLogger } from '../../src/platform/logging/logger.ts'
import { generateSteps } from './generate-steps.ts'
import { createPostgresSource, createSqliteSource } from './marketplace.ts'
import { runSeed, type SeedResult, type Violation } from './run-seed.ts'
import { shrink } from './shrink.ts'
import type { Step } from './steps.ts'

export interface SimulationOptions {
  database: 'sqlite' | 'postgres'
  firstSeed: number
  seeds: number
  /** Number of steps per seed. */
  steps: number
  /** Ids of the steps to play. Default: all. */
  only?: ReadonlySet<number> | undefined
  /** Whether to end at the first seed that fails. */
  stopsAtFailure: boolean
  /** Whether to look for a shorter list of steps that fails. */
  shrinks: boolean
  print: (line: string) => void
  trace?: ((line: string) => void) | undefined
}

export interface SimulationResult {
  seeds: number
  failed: number
  steps: number
  turns: number
  requests: number
  faults: number
  crashes: number
  stalls: number
  notifications: number
  seconds: number
}

const MAX_SHRINK_ATTEMPTS = 120
// PostgreSQL has conflicts only between transactions that run at the same time. Their order is not repeatable.
const PARALLEL_CALLS = { sqlite: 1, postgres: 4 }

/** Plays seeds one after another, and prints a command for each one that fails. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { database, firstSeed, seeds, steps: stepCount, only, stopsAtFailure, shrinks, print, trace } = options
  const source = await (database === 'postgres' ? createPostgresSource() : createSqliteSource())
  const logger = await createLogger({ level: trace ? 'error' : 'silent', pretty: false })
  const began = performance.now()
  const play = (seed: number, steps: readonly Step[]) =>
    runSeed({ seed, steps, source, logger, parallelCalls: PARALLEL_CALLS[database], trace })
  const total = {
    seeds: 0,
    failed: 0,
    steps: 0,
    turns: 0,
    requests: 0,
    faults: 0,
    crashes: 0,
    stalls: 0,
    notifications: 0,
  }
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const steps = generateSteps(seed, stepCount).filter(({ id }) => only?.has(id) ?? true)
    const result = await play(seed, steps)
    const { violations, ...counts } = result
    total.seeds++
    total.steps += steps.length
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) total[name] += counts[name]
    if (violations.length === 0) continue
    total.failed++
    const rules = new Set(violations.map(({ rule }) => rule))
    const fails = async (part: readonly Step[]) => isSame(await play(seed, part), rules)
    const shortest = shrinks ? await shrink(steps, fails, MAX_SHRINK_ATTEMPTS) : steps
    const last = shrinks ? await play(seed, shortest) : result
    print(describe(seed, options, shortest, last.violations.length > 0 ? last.violations : violations))
    if (stopsAtFailure) break
  }
  await source.close()
  return { ...total, seconds: Math.round((performance.now() - began) / 1000) }
}

/** A shorter list may break other rules, too, but is about the same bug only if it breaks one of the same. */
const isSame = ({ violations }: SeedResult, rules: ReadonlySet<string>) =>
  violations.some(({ rule }) => rules.has(rule))

function describe(
  seed: number,
  { database, steps: count }: SimulationOptions,
  steps: readonly Step[],
  violations: readonly Violation[],
): string {
  const only = steps.map(({ id }) => id).join(',')
  const command = `npm run simulate -- --seed ${seed} --steps ${count} --database ${database} --only ${only}`
  return [
    `seed ${seed} fails:`,
    ...violations.map(({ rule, details }) => `  ${rule}: ${details}`),
    ...steps.map((step) => `  ${JSON.stringify(step)}`),
    `replay: ${command}`,
  ].join('\n')
}
