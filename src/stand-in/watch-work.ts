import { type Feed, listFeedsInProgress } from '../areas/feeds/index.ts'
import { watchLife } from '../dev/life/index.ts'
import { type Progress, ProgressBoard, type ProgressControl } from '../dev/progress/index.ts'
import type { Gate } from '../http/gate.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { DeadlineError, withDeadline } from '../platform/deadline.ts'
import type { Background } from '../worker/background.ts'

/** Real time that a step of the clock waits for the work of the step before. */
const SETTLE_MILLISECONDS = 5_000
/** More than a person reads. */
const MAX_FEEDS = 20

export interface WorkDependencies {
  gate: Gate
  database: Database
  clock: Clock
  /** Undefined while there is none. */
  background(): Background | undefined
}

/** Waits for the background work of the stand-in, and watches its progress. */
export function watchWork({ gate, database, clock, background }: WorkDependencies) {
  // Long work of this process starts a task here.
  const progress = new ProgressBoard()
  const progressControl: ProgressControl = {
    open() {
      const readLife = watchLife({ database, clock })
      let stored: Progress[] = []
      return async ({ isIdle }) => {
        // Exclusive work, such as an import, may keep readers of the database waiting, and nothing else runs meanwhile.
        if (gate.isOpen) {
          stored = await readStored(isIdle).catch(() => {
            // A reset that began meanwhile empties the tables, and PostgreSQL may give up the reader for it.
            return gate.isOpen ? readStored(isIdle) : stored
          })
        }
        return [...progress.list(), ...stored]
      }

      async function readStored(isIdle: boolean): Promise<Progress[]> {
        // A feed that waits for a retry is in progress, too.
        const feeds = isIdle ? [] : await database.read((reader) => listFeedsInProgress(reader, MAX_FEEDS))
        return [...(await readLife()), ...feeds.map(renderFeed)]
      }
    },
    async idle() {
      for (;;) {
        await gate.whenOpen()
        const asked = background()
        await asked?.idle()
        // One that was stopped meanwhile, for exclusive work, says that it is idle although work may be left.
        if (asked === background() && gate.isOpen) return
      }
    },
  }
  return {
    progress,
    progressControl,

    /** Has a deadline, because long work, or work that retries on a frozen clock, would block the step. */
    async settle(): Promise<void> {
      await withDeadline(SETTLE_MILLISECONDS, async () => background()?.idle()).catch((error: unknown) => {
        if (!(error instanceof DeadlineError)) throw error
      })
    },
  }
}

const renderFeed = ({ feedId, feedType, messages, progress: { applied } }: Feed): Progress => ({
  task: `feed ${feedId}`,
  done: applied,
  ...(messages !== undefined && { total: messages }),
  message: `${applied} messages of ${feedType} are applied`,
})
