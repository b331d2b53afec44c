import {
  ACTION_KINDS,
  type FaultKind,
  type FaultSettings,
  isKind,
  MATCH_FIELDS,
  type MatchField,
} from './fault-rule.ts'

type FieldValue = string | number | boolean

/** What the form holds. Empty texts are fields that are not given. */
export interface FaultForm {
  name: string
  kind: FaultKind
  operations: string[]
  conditions: { field: MatchField; value: string }[]
  parameters: Record<string, FieldValue>
  limits: Record<LimitName, number | string>
}

export const LIMITS = {
  count: 'At most this many hits',
  nth: 'Only this matching call',
  percentage: 'Share of calls (%)',
  forSeconds: 'For seconds of the clock',
} as const
type LimitName = keyof typeof LIMITS

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Fills the form with a rule that came with the address of the page, as far as it makes sense. */
export function toForm(rule: Record<string, unknown>): FaultForm {
  const match = isObject(rule.match) ? rule.match : {}
  const { kind: wanted, ...parameters } = isObject(rule.action) ? rule.action : {}
  const kind = isKind(wanted) ? wanted : 'status'
  const known = new Set<string>(ACTION_KINDS[kind].fields.map(({ name }) => name))
  const given = Object.entries(parameters).filter(
    (pair): pair is [string, FieldValue] => known.has(pair[0]) && !isObject(pair[1]),
  )
  return {
    name: isText(rule.name) ? rule.name : '',
    kind,
    operations: [match.operations].flat().filter(isText),
    conditions: MATCH_FIELDS[ACTION_KINDS[kind].layer].flatMap((field) => {
      const value = match[field]
      return isText(value) ? [{ field, value }] : []
    }),
    parameters: given.length > 0 ? Object.fromEntries(given) : initialParameters(kind),
    limits: {
      count: limitOf(rule.count),
      nth: limitOf(rule.nth),
      percentage: limitOf(rule.percentage),
      forSeconds: '',
    },
  }
}

const limitOf = (value: unknown) => (typeof value === 'number' ? value : '')

export const initialParameters = (kind: FaultKind): FaultForm['parameters'] =>
  Object.fromEntries(
    ACTION_KINDS[kind].fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])),
  )

/** The rule as the service takes it, which also checks it. */
export function toSettings({ name, kind, operations, conditions, parameters, limits }: FaultForm): FaultSettings {
  const match = {
    ...(operations.length > 0 && { operations }),
    ...Object.fromEntries(conditions.filter(({ value }) => value !== '').map(({ field, value }) => [field, value])),
  }
  return {
    ...(name !== '' && { name }),
    ...(Object.keys(match).length > 0 && { match }),
    action: { kind, ...withoutEmpty(parameters) },
    ...withoutEmpty(limits),
  }
}

const withoutEmpty = (fields: Record<string, FieldValue>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
