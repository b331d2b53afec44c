import { ApiError } from '../../../platform/errors/api-error.ts'
import type { Entry, Patch } from '../domain/attributes.ts'

/** A patch as received. */
export interface RawPatch {
  op: Patch['op']
  path: string
  value?: readonly unknown[]
}

const ATTRIBUTES_PATH = '/attributes/'

/** Throws if the path is not that of an attribute or the value is missing, whatever the product type. */
export function parsePatch({ op, path, value }: RawPatch, index: number): Patch {
  const attribute = path.startsWith(ATTRIBUTES_PATH) ? path.slice(ATTRIBUTES_PATH.length) : ''
  requireAttributeName(attribute, index, path)
  if (value === undefined && op !== 'delete') {
    const reason = `patches[${index}].value is required: only the operation delete may omit it.`
    throw new ApiError('InvalidInput', `Value is missing for patch at index of ${index}.`, '', {
      reason,
      field: `patches[${index}].value`,
      explain: () => ({
        rule: reason,
        facts: { op, path, value: null },
        change: {
          fields: { [`patches[${index}].value`]: [{}] },
          first: 'Put the value of the attribute in its place.',
        },
      }),
    })
  }
  return { op, attribute, ...(value !== undefined && { value: value as Entry[] }) }
}

/** A patch that replaces an attribute. Throws as parsePatch does. */
export function toReplacement([attribute, value]: [string, unknown], index: number): Patch {
  requireAttributeName(attribute, index)
  return { op: 'replace', attribute, value: value as Entry[] }
}

function requireAttributeName(name: string, index: number, path = name): void {
  if (name !== '' && !name.includes('/')) return
  const reason = `patches[${index}].path must be /attributes/ and the name of one attribute.`
  throw new ApiError('InvalidInput', `Invalid path provided in patch at index of ${index}.`, '', {
    reason,
    field: `patches[${index}].path`,
    explain: () => ({
      rule: reason,
      change: { fields: { [`patches[${index}].path`]: ATTRIBUTES_PATH + nameIn(path) } },
    }),
  })
}

/** The attribute that a wrong path means: `color` of `/attributes/color/0/value`, `color` or `/color`. */
const nameIn = (path: string) =>
  path.split('/').find((part) => part !== '' && part !== 'attributes') ?? '<name of the attribute>'
