import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { JobContext, JobHandlers, JobQueue } from '../../platform/jobs/port.ts'
import { type LifeState, loadLife, storeLife } from './state.ts'
import { createStepper, type LifeWriters, nextStepAt } from './step.ts'

export const LIFE = 'life'

export interface LifeJob {
  run: number
}

export const lifeJobOf = ({ run }: LifeJob, runAt: Date) => ({ kind: LIFE, key: String(run), payload: { run }, runAt })

// Several short steps per commit, and other writers get their turn between two commits.
const STEPS_PER_COMMIT = 8

/** Performs the steps of life up to the time of the clock. */
export function createLifeJobs({
  clock,
  jobs,
  ...writers
}: LifeWriters & { clock: Clock; jobs: JobQueue }): JobHandlers {
  const stepper = createStepper(writers)
  return {
    [LIFE]: {
      async run({ run }: LifeJob, context: JobContext): Promise<void> {
        stepper.reset()
        let isDue = true
        while (isDue) {
          let isFirstAttempt = true
          await context.checkpoint(async (tx) => {
            // After a conflict the transaction runs again, and the database is as it was before.
            if (!isFirstAttempt) stepper.reset()
            isFirstAttempt = false
            isDue = await performSteps(tx, run)
          })
        }
        await context.finish((tx) => continueLater(tx, run))
      },

      async giveUp(tx: Transaction, { run }: LifeJob): Promise<void> {
        const state = await findRunning(tx, run)
        if (state) await storeLife(tx, { ...state, isRunning: false })
      },
    },
  }

  /** Returns whether more steps may be due. */
  async function performSteps(tx: Transaction, run: number): Promise<boolean> {
    let state = await findRunning(tx, run)
    if (!state) return false
    const now = clock.now()
    let performed = 0
    while (performed < STEPS_PER_COMMIT && nextStepAt(state) <= now) {
      state = await stepper.perform(tx, state)
      performed++
    }
    if (performed > 0) await storeLife(tx, state)
    return performed === STEPS_PER_COMMIT
  }

  async function continueLater(tx: Transaction, run: number): Promise<void> {
    const state = await findRunning(tx, run)
    if (state) await jobs.enqueue(tx, lifeJobOf(state, nextStepAt(state)))
  }
}

/** Undefined once this life was stopped, even if another one was started. */
async function findRunning(tx: Transaction, run: number): Promise<LifeState | undefined> {
  const state = await loadLife(tx)
  return state?.isRunning && state.run === run ? state : undefined
}
