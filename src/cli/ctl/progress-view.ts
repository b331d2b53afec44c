import { SystemClock } from '../../platform/clock/system-clock.ts'
import type { CtlOutput } from './output.ts'

const BAR_WIDTH = 24
const LINE_MILLISECONDS = 1000

// Progress is for people who wait in real time.
const realClock = new SystemClock()

/** Shows the progress of long work: a bar on a terminal, at most one line a second for each task elsewhere. */
export function createProgressView({ err, isTerminal }: Pick<CtlOutput, 'err' | 'isTerminal'>) {
  const shownAt = new Map<unknown, number>()
  let hasBar = false
  return {
    show(event: string, data: Record<string, unknown>): void {
      if (event === 'end') shownAt.delete(data.task)
      if (event !== 'progress') return
      if (isTerminal) {
        hasBar = true
        err(`\r\u001b[K${renderProgress(data)}`)
        return
      }
      const now = realClock.now().getTime()
      if (now - (shownAt.get(data.task) ?? Number.NEGATIVE_INFINITY) < LINE_MILLISECONDS) return
      shownAt.set(data.task, now)
      err(renderProgress(data))
    },
    end(): void {
      if (hasBar) err('\r\u001b[K')
    },
  }
}

export function renderProgress({ task, done, total, message }: Record<string, unknown>): string {
  const note = typeof message === 'string' && message !== '' ? `  ${message}` : ''
  if (typeof total !== 'number' || typeof done !== 'number' || total <= 0) return `${task}  ${done}${note}`
  const share = Math.min(1, done / total)
  const bar = '#'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')
  return `${task}  [${bar}] ${Math.floor(share * 100)} %${note}`
}
