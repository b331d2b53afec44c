import { expect } from 'vitest'
import type { CtlOutput } from '../../src/cli/ctl/output.ts'
import { runCtl } from '../../src/cli/ctl/program.ts'

/** Runs `souk ctl` in this process, with the words of a command line. */
export async function runCtlWords(
  url: string,
  words: string,
  { env, ...terminal }: Partial<CtlOutput> & { env?: Record<string, string> } = {},
) {
  const lines: { out: string[]; err: string[] } = { out: [], err: [] }
  const output = { out: (text: string) => lines.out.push(text), err: (text: string) => lines.err.push(text) }
  const code = await runCtl(words.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [], {
    env: { SOUK_URL: url, ...env },
    output: { ...output, isTerminal: false, ...terminal },
  })
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

/** The response of a command that succeeds. */
export async function ctlJson(url: string, words: string) {
  const { code, out, err } = await runCtlWords(url, `${words} --json`)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
