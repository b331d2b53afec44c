import type { Transaction } from '../../platform/database/port.ts'
import type { JobContext } from '../../platform/jobs/port.ts'
import type { Feed, Progress } from './feed.ts'
import type { FeedPlan, MessageResult, PreparedStep, UncommittedStep } from './processing/processor.ts'
import { recordProgress } from './store/feed-store.ts'
import { insertIssues } from './store/issue-store.ts'

// Large enough to share the cost of a commit, small enough to let other writers in between.
const MESSAGES_PER_STEP = 250

/** Messages that are applied in one transaction. */
interface Step {
  /** The progress with this step, once it is committed. */
  committed: Promise<Progress>
  hasFailed(): boolean
  /** The step after this one, if it is already being prepared. */
  next(): Step | undefined
  /** Rolls back a step that is waiting for the one before it. Resolves when its locks are free. */
  abandon(): Promise<void>
}

/** Not one of the errors after which a transaction is retried. */
class AbandonedStepError extends Error {
  override name = 'AbandonedStepError'
}

/**
 * Applies the messages that are not yet applied, in steps that are committed in order.
 *
 * On PostgreSQL the next step is prepared in a transaction of its own while the server writes the one before it. It
 * writes nothing before that one is committed, so a crash leaves the first messages applied, and no others.
 *
 * A transaction is retried there after a conflict, or if there are too many locks. Fewer messages make both less
 * likely, so each retry halves the step, and steps without conflicts grow again.
 */
export async function applyPlan(
  feed: Feed,
  plan: FeedPlan,
  { checkpoint }: Pick<JobContext, 'checkpoint'>,
): Promise<void> {
  const { messagesPerStep = MESSAGES_PER_STEP, preparesAhead = false } = plan
  let size = messagesPerStep
  if (feed.progress.applied >= plan.messages) return
  let step = start(feed.progress)
  try {
    for (;;) {
      const progress = await step.committed
      if (progress.applied >= plan.messages) return
      const next = step.next()
      // What failed before its turn, for example because it waited too long for a lock of the step before it, may
      // succeed now.
      step = next && !next.hasFailed() ? next : start(progress)
    }
  } finally {
    await step.next()?.abandon()
  }

  function start(before: Progress, earlier?: UncommittedStep<PreparedStep>): Step {
    let isFirstAttempt = true
    let hasBegun = false
    let hasFailed = false
    let prepared: PreparedStep | undefined
    let after = before
    let next: Step | undefined
    const abandoned = Promise.withResolvers<never>()
    const earlierCommit = Promise.race([earlier?.committed.catch(abandonStep), abandoned.promise])
    // It may reject before it is awaited.
    earlierCommit.catch(() => {})
    const committed = run()
    committed.catch(() => {
      hasFailed = true
    })
    return { committed, hasFailed: () => hasFailed, next: () => next, abandon }

    async function run(): Promise<Progress> {
      await checkpoint(write, { ...plan.transaction, lockFirst: prepare, onRetry })
      if (isFirstAttempt) size = Math.min(messagesPerStep, size + Math.ceil(size / 4))
      return after
    }

    async function prepare(tx: Transaction): Promise<void> {
      if (hasFailed) abandonStep()
      hasBegun = true
      // It may hold locks that this step takes again.
      await next?.abandon()
      next = undefined
      prepared = await plan.prepare(tx, before.applied, size, earlier && { ...earlier, committed: earlierCommit })
      await earlierCommit
    }

    async function write(tx: Transaction): Promise<void> {
      if (!prepared) throw new Error('A step must be prepared before it is written')
      const results = await prepared.write()
      after = addResults(before, results)
      const issues = results.flatMap((result) => result.issues)
      await insertIssues(tx, feed, before.errors + before.warnings, issues)
      await recordProgress(tx, feed, { ...after, messages: plan.messages })
      if (preparesAhead && after.applied < plan.messages) next = start(after, { step: prepared, committed })
    }

    function onRetry(): void {
      isFirstAttempt = false
      size = Math.max(1, Math.floor(size / 2))
      // At once: it holds a connection, and all others may be held by steps that wait like it.
      void next?.abandon()
    }

    async function abandon(): Promise<void> {
      hasFailed = true
      abandoned.reject(new AbandonedStepError())
      // Before that it is waiting for a connection, perhaps for that of the caller.
      if (hasBegun) await committed.catch(() => {})
    }
  }
}

function abandonStep(): never {
  throw new AbandonedStepError()
}

function addResults(before: Progress, results: readonly MessageResult[]): Progress {
  const accepted = results.filter(({ isAccepted }) => isAccepted).length
  const count = (severity: string) =>
    results.reduce((sum, { issues }) => sum + issues.filter((issue) => issue.severity === severity).length, 0)
  return {
    applied: before.applied + results.length,
    accepted: before.accepted + accepted,
    invalid: before.invalid + results.length - accepted,
    errors: before.errors + count('ERROR'),
    warnings: before.warnings + count('WARNING') + count('INFO'),
  }
}
