import type { Clock } from '../../platform/clock/port.ts'
import { type JobContext, type JobHandler, type JobHandlers, PostponedError } from '../../platform/jobs/port.ts'
import { JOB_OPERATIONS } from './actions.ts'
import type { CallFacts } from './matching.ts'
import type { FaultRule } from './public.ts'
import type { FaultRules } from './rules.ts'

/** Stored with a job, which is found again by it when its rule is removed. */
export const HELD = 'held by a fault rule'

// Time of the clock after which a job looks again whether its rule is still in force.
const RECHECK_MILLISECONDS = 5_000

interface JobKey {
  sellerId: string
  reportId?: string
  feedId?: string
}

/** Lets rules hit the processing of reports and feeds. */
export function withJobFaults(handlers: JobHandlers, rules: FaultRules, clock: Clock): JobHandlers {
  const wrapped = JOB_OPERATIONS.flatMap((kind) => {
    const handler = handlers[kind]
    return handler ? [[kind, withFaults(kind, handler)] as const] : []
  })
  return { ...handlers, ...Object.fromEntries(wrapped) }

  function withFaults(kind: string, handler: JobHandler<JobKey>): JobHandler<JobKey> {
    return {
      ...handler,
      async run(key, context) {
        if (!rules.isActive('job')) return handler.run(key, context)
        const job = `${kind} ${key.sellerId} ${key.reportId ?? key.feedId}`
        // A canceled one is no call. It ends, because later feeds wait for it.
        if (await handler.isObsolete?.(key)) {
          rules.letGo(job)
          return handler.run(key, context)
        }
        const holder = rules.holderOf(job)
        if (holder) throw postponedBy(holder)
        // A job that was let through before, and waits for the delay or was interrupted by a snapshot, is no new call.
        const { postponedFor = HELD } = context
        if (postponedFor !== HELD) return handler.run(key, context)
        const { fault } = rules.decide('job', factsOf(kind, key, await handler.typeOf?.(key)))
        return fault ? apply(fault, job, key, context) : handler.run(key, context)
      },
    }

    async function apply(rule: FaultRule, job: string, key: JobKey, context: JobContext): Promise<void> {
      const { action } = rule
      if (action.kind === 'fatal') return context.finish((tx) => handler.giveUp(tx, key))
      if (action.kind === 'cancel') return context.finish(async (tx) => handler.cancel?.(tx, key))
      rules.hold(job, rule)
      const stop = async () => {
        throw postponedBy(rule)
      }
      const isQueued = action.kind === 'stuck' && action.state === 'IN_QUEUE'
      // The work begins, but none of it is committed.
      return isQueued ? stop() : handler.run(key, { ...context, checkpoint: stop, finish: stop })
    }
  }

  function postponedBy(rule: FaultRule): PostponedError {
    return new PostponedError(HELD, () => {
      const now = clock.now().getTime()
      if (!rules.isInForce(rule)) return new Date(now)
      const recheckAt = now + RECHECK_MILLISECONDS
      return new Date(rule.until === undefined ? recheckAt : Math.min(recheckAt, new Date(rule.until).getTime()))
    })
  }
}

function factsOf(operation: string, { sellerId, reportId, feedId }: JobKey, type: string | undefined): CallFacts {
  const types = type === undefined ? [] : [type]
  return {
    operation,
    sellerId,
    subjects: {
      ...(reportId !== undefined && { reportId: [reportId], reportType: types }),
      ...(feedId !== undefined && { feedId: [feedId], feedType: types }),
    },
  }
}
