import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { credentialsOf } from './credentials.ts'
import type { SeedRules } from './ports.ts'
import { SeedError } from './problems.ts'
import type { SeedCredentials } from './public.ts'
import { type CompleteSeed, completeSeed, parseSeed, type SeedSource } from './read-seed.ts'
import type { ReportReading } from './steps.ts'

/** A seed without mistakes. */
export interface OpenedSeed {
  /** The file, for messages. */
  name: string | undefined
  /** Of its content. */
  digest: string
  /** The time at which it begins, if it has one. */
  clock: CompleteSeed['clock']
  credentials: SeedCredentials[]
  /** With what it leaves out. Times that it leaves out are that of the system. */
  complete(systemTime: Date): Promise<CompleteSeed>
}

/** Opens a file, or an object that is like the content of one. Throws a `SeedError`. */
export async function openSeed(
  seed: string | object,
  rules: SeedRules,
  systemTime: Date,
  report?: ReportReading,
): Promise<OpenedSeed> {
  const source = typeof seed === 'string' ? await readSource(seed) : { bytes: toBytes(seed) }
  return openSource(source, rules, systemTime, report)
}

export async function openSource(
  source: SeedSource,
  rules: SeedRules,
  systemTime: Date,
  report?: ReportReading,
): Promise<OpenedSeed> {
  const parsed = await parseSeed(source, report)
  let completed = { at: systemTime, seed: await completeSeed(parsed, rules, systemTime) }
  return {
    name: source.name,
    clock: completed.seed.clock,
    credentials: credentialsOf(completed.seed),
    digest: hash('sha256', source.bytes, 'base64url'),
    async complete(time) {
      const isCurrent = completed.at.getTime() === time.getTime() || completed.seed.clock !== undefined
      if (!isCurrent) completed = { at: time, seed: await completeSeed(parsed, rules, time) }
      return completed.seed
    },
  }
}

async function readSource(file: string): Promise<SeedSource> {
  const name = basename(file)
  try {
    return { name, bytes: await readFile(file) }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new SeedError([{ path: '', reason: `cannot be read (${code})` }], file)
  }
}

/** Through text, so that an object is checked like a file. */
function toBytes(seed: object): Uint8Array {
  try {
    return Buffer.from(JSON.stringify(seed))
  } catch {
    throw new SeedError([{ path: '', reason: 'must be an object that JSON can express' }])
  }
}
