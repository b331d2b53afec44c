import type { DueSource } from '../../platform/due.ts'
import { parseTimestamp } from '../../platform/timestamps.ts'
import type { FaultRules } from './rules.ts'

/** The ends of rules by which jobs are stuck: the jobs continue then. */
export const createFaultDue = (rules: FaultRules): DueSource => ({
  async find(_reader, after, limit) {
    return rules
      .listHolders()
      .flatMap(({ id, until }) => (until === undefined ? [] : [{ id, time: parseTimestamp(until) }]))
      .filter(({ time }) => time > after)
      .sort((one, other) => one.time.getTime() - other.time.getTime())
      .slice(0, limit)
      .map(({ id, time }) => ({
        kind: 'faultRuleEnd',
        time,
        id,
        description: `Fault rule ${id} ends, and what it holds continues`,
      }))
  },
})
