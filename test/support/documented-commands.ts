import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
/** A page starts dozens of processes: seconds on an idle machine, much longer on a busy one. */
export const COMMANDS_TIMEOUT_MILLISECONDS = 120_000

const DOCUMENTED_URL = 'http://127.0.0.1:4700'

/** Returns the fenced code blocks of a page in one language. */
export function codeBlocks(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, name, block]) => [name, block as string])
  return blocks.flatMap(([name, block = '']) => (name === language ? [block] : []))
}

/** Returns the shell commands of a page that follow the one that sets the URL, that one included. */
export function documentedCommands(page: string): string[] {
  const blocks = codeBlocks(page, 'sh')
  const first = blocks.findIndex((block) => block.includes(DOCUMENTED_URL))
  if (first === -1) throw new Error(`${page} has no commands for ${DOCUMENTED_URL}`)
  return blocks.slice(first)
}

/** Runs documented commands in one shell, against the stand-in at `url`. Returns the lines that they print. */
export async function runCommands(commands: readonly string[], url: string): Promise<string[]> {
  const script = commands.join('').replace(DOCUMENTED_URL, url)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { cwd: REPOSITORY })
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n')
}
