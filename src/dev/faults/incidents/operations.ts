import { ApiError } from '../../../platform/errors/api-error.ts'
import { findSimilar } from '../../../platform/similar-words.ts'
import { hasField, requirePossible } from '../check-rule.ts'
import type { FaultDependencies, FaultOperations } from '../operations.ts'
import type { FaultRule, Incident, IncidentSettings } from '../public.ts'
import { incidents } from './incidents.ts'

// The pages of the incidents are next to it.
const LIST_PAGE = '/docs/incidents/readme'

export type IncidentOperations = ReturnType<typeof createIncidentOperations>

export function createIncidentOperations(
  { rules, listOperations, clock }: Pick<FaultDependencies, 'rules' | 'listOperations' | 'clock'>,
  faults: Pick<FaultOperations, 'release'>,
) {
  const rulesOf = (name: string) => rules.list().filter(({ incident }) => incident === name)
  const view = (name: string): Incident => {
    const own = rulesOf(name)
    const { summary, faults } = requireIncident(name)
    return {
      name,
      summary,
      page: LIST_PAGE.replace('readme', name),
      hasSeller: faults.every((fault) => hasField(fault, 'sellerId', listOperations())),
      active: own.some((rule) => rules.isEffective(rule)),
      faults: own,
    }
  }
  const removeRules = async (own: readonly FaultRule[]) => {
    rules.remove(...own.map(({ id }) => id))
    await faults.release()
  }

  return {
    list: (): Incident[] => Object.keys(incidents).map(view),

    /** One that has begun begins again. */
    async start(name: string, { match, forSeconds }: IncidentSettings = {}): Promise<Incident> {
      const settings = requireIncident(name).faults.map((fault) => ({
        name,
        ...fault,
        match: { ...fault.match, ...match },
        ...(forSeconds !== undefined && { forSeconds }),
      }))
      for (const one of settings) requirePossible(one, listOperations(), clock.now())
      // At once: two that start it together would both add its rules.
      rules.startIncident(name, settings)
      await faults.release()
      return view(name)
    },

    async end(name: string): Promise<void> {
      requireIncident(name)
      await removeRules(rulesOf(name))
    },

    endAll: (): Promise<void> => removeRules(rules.list().filter(({ incident }) => incident !== undefined)),
  }
}

function requireIncident(name: string) {
  const incident = Object.hasOwn(incidents, name) ? incidents[name] : undefined
  if (incident) return incident
  const [similar] = findSimilar(name, Object.keys(incidents))
  const hint = similar === undefined ? 'GET /_souk/incidents lists them.' : `Did you mean ${similar}?`
  throw new ApiError('NotFound', `There is no incident ${name.slice(0, 100)}.`, hint)
}
