import { findViolations } from '../../http/validator.ts'
import { LATEST_TIME } from '../../platform/clock/port.ts'
import { MAX_VIOLATIONS, type Violation } from '../../platform/errors/api-error.ts'
import { type Accounts, dateOf, readAccounts } from './accounts.ts'
import { type Notifications, readNotifications } from './notifications.ts'
import type { SeedRules } from './ports.ts'
import { locateProblems, SeedError } from './problems.ts'
import { type Products, readProducts } from './products.ts'
import { Reading } from './reading.ts'
import { Seed } from './schema.ts'
import type { SeedText } from './seed-text.ts'
import { inSteps, type ReportReading } from './steps.ts'
import { readSeedText } from './text.ts'
import { readTrade, type Trade } from './trade.ts'

/** A seed whose references all exist, with everything that it leaves out. */
export interface CompleteSeed extends Accounts, Omit<Products, 'views'>, Trade, Notifications {
  /** The time at which it begins. Undefined for that of the system. */
  clock: { time: Date; frozen: boolean } | undefined
}

export interface SeedSource {
  /** The file, for messages. */
  name?: string
  bytes: Uint8Array
}

/** Text that satisfies the schema. */
export interface ParsedSeed {
  seed: Seed
  locate: SeedText['locate']
  name: string | undefined
}

/** Throws a `SeedError` with all violations of the schema. */
export async function parseSeed({ name, bytes }: SeedSource, report?: ReportReading): Promise<ParsedSeed> {
  const { value, locate } = await naming(name, () => readSeedText(bytes, report))
  const violations = await findSeedViolations(value)
  if (violations.length > 0) throw new SeedError(locateProblems(violations, locate), name)
  return { seed: value as Seed, locate, name }
}

/** Throws a `SeedError` with all references that do not exist, and other contradictions. */
export async function completeSeed(
  { seed, locate, name }: ParsedSeed,
  rules: SeedRules,
  systemTime: Date,
): Promise<CompleteSeed> {
  const clock = seed.clock && { time: dateOf(seed.clock.time), frozen: seed.clock.frozen ?? false }
  const reading = new Reading(seed, rules, clock?.time ?? systemTime)
  if (clock && clock.time > LATEST_TIME) {
    reading.refuse('clock.time', `must not be after ${LATEST_TIME.toISOString()}`)
  }
  const accounts = readAccounts(reading)
  const { views, ...products } = await readProducts(reading, accounts)
  const trade = await readTrade(reading, accounts, { ...products, views })
  const notifications = readNotifications(reading, accounts)
  if (reading.violations.length > 0) throw new SeedError(locateProblems(reading.violations, locate), name)
  return { clock, ...accounts, ...products, ...trade, ...notifications }
}

/** Checks long lists in steps, and then the rest. */
async function findSeedViolations(value: unknown): Promise<Violation[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return findViolations(Seed, value)
  const rest: Record<string, unknown> = { ...value }
  const violations: Violation[] = []
  for (const [name, items] of Object.entries(value)) {
    const { maxItems } = (Seed.properties as Record<string, { maxItems?: number }>)[name] ?? {}
    if (!Array.isArray(items) || maxItems === undefined || items.length > maxItems) continue
    await inSteps(items, (some, first) => {
      if (violations.length >= MAX_VIOLATIONS) return
      violations.push(...findViolations(Seed, { [name]: some }).map((one) => shiftIndex(one, name, first)))
    })
    rest[name] = []
  }
  return [...violations, ...findViolations(Seed, rest)]
}

/** Of a violation in a part of a list: its place in the whole list. */
function shiftIndex({ path, reason }: Violation, name: string, first: number): Violation {
  const [, index, inside] = /^\w+\[(\d+)\](.*)$/s.exec(path) ?? []
  return { path: index === undefined ? path : `${name}[${first + Number(index)}]${inside}`, reason }
}

async function naming<Result>(name: string | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SeedError) throw new SeedError(error.problems, name)
    throw error
  }
}
