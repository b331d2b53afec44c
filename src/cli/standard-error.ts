import type { ProgressOutput } from './ctl/progress-view.ts'

/** Texts are lines without their end, except those that overwrite a line. */
export const standardError: ProgressOutput = {
  err: (text) => process.stderr.write(text.startsWith('\r') ? text : `${text}\n`),
  isTerminal: process.stderr.isTTY === true,
  columns: process.stderr.columns,
}
