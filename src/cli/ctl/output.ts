/** Where `souk ctl` prints to. Texts are lines without their end, except those that overwrite a line. */
export interface CtlOutput {
  out(text: string): void
  err(text: string): void
  /** Whether `err` is a terminal, where a line can be overwritten. */
  isTerminal: boolean
  /** Whether `out` is one. Default: true. */
  isOutTerminal?: boolean
  /** Of the terminal, whose lines are cut there: one that wraps cannot be overwritten. */
  columns?: number | undefined
}
