import type { Clock } from '../../platform/clock/port.ts'
import { SystemClock } from '../../platform/clock/system-clock.ts'
import type { CtlOutput } from './output.ts'

const BAR_WIDTH = 24
const LINE_MILLISECONDS = 1000
const DEFAULT_COLUMNS = 80
const CLEARED_LINE = '\r\u001b[K'

// Progress is for people who wait in real time.
const realClock = new SystemClock()

export type ProgressOutput = Pick<CtlOutput, 'err' | 'isTerminal' | 'columns'>

/** Shows the progress of long work: a bar on a terminal, at most one line a second for each task elsewhere. */
export function createProgressView({ err, isTerminal, columns }: ProgressOutput) {
  // A terminal without a size has no columns.
  const width = columns || DEFAULT_COLUMNS
  const shownAt = new Map<unknown, number>()
  /** Of each task, what was not shown because another line was, less than a second before. */
  const skipped = new Map<unknown, string>()
  let hasBar = false
  return {
    show(event: string, data: Record<string, unknown>): void {
      if (event === 'end') {
        const last = skipped.get(data.task)
        if (last !== undefined) err(last)
        skipped.delete(data.task)
        shownAt.delete(data.task)
        clear()
      }
      if (event !== 'progress') return
      if (isTerminal) {
        hasBar = true
        // A terminal may wrap a line that has all its columns.
        err(`${CLEARED_LINE}${renderProgress(data).slice(0, width - 1)}`)
        return
      }
      const now = realClock.now().getTime()
      const line = renderProgress(data)
      if (now - (shownAt.get(data.task) ?? Number.NEGATIVE_INFINITY) < LINE_MILLISECONDS) {
        skipped.set(data.task, line)
        return
      }
      skipped.delete(data.task)
      shownAt.set(data.task, now)
      err(line)
    },
    end(): void {
      for (const last of skipped.values()) err(last)
      skipped.clear()
      clear()
    },
  }

  function clear(): void {
    if (hasBar) err(CLEARED_LINE)
    hasBar = false
  }
}

export type IdleNotice = ReturnType<typeof createIdleNotice>

/** Prints once that there is no progress to show: when it is known, or when none has come for a second from the start on. */
export function createIdleNotice({ err }: Pick<CtlOutput, 'err'>, clock: Clock = realClock) {
  const over = new AbortController()
  const print = () => {
    if (!over.signal.aborted) err('souk: No long work is under way.')
    over.abort()
  }
  return {
    start: () => void clock.sleep(LINE_MILLISECONDS, over.signal).then(print, () => {}),
    print,
    cancel: () => over.abort(),
  }
}

export function renderProgress({ task, done, total, message }: Record<string, unknown>): string {
  const note = typeof message === 'string' && message !== '' ? `  ${message}` : ''
  if (typeof total !== 'number' || typeof done !== 'number' || total <= 0) return `${task}  ${done}${note}`
  const share = Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')
  return `${task}  [${bar}] ${Math.floor(share * 100)} %${note}`
}
