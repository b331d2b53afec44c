import {
  type BulkIssue,
  type BulkMessage,
  type BulkPatch,
  MESSAGE_FAULT_CODE,
  PATCH_OPERATIONS,
} from '../../../../marketplace/bulk-listings.ts'
import { REQUIREMENTS, type Requirements } from '../../../../marketplace/product-types/index.ts'
import { findOddity } from '../../../../platform/unstorable-json.ts'
import { HIGHEST_MESSAGE_ID } from '../../feed.ts'
import { isObject } from './header.ts'

const LONGEST_SKU = 255
const MOST_PATCHES = 500
const MOST_ATTRIBUTES = 1000

type Fields = Record<string, unknown>
type Change = BulkMessage['change']

/** Which operation takes what, and what it does then. */
const operations: Record<string, { needs: string[]; refuses: string[]; read(message: Fields): Change }> = {
  UPDATE: {
    needs: ['productType', 'attributes'],
    refuses: ['patches'],
    read: ({ productType, requirements, attributes }) => ({
      operation: 'PUT',
      productType: productType as string,
      ...(requirements !== undefined && { requirements: requirements as string }),
      attributes: attributes as Fields,
    }),
  },
  // The same as a patch that replaces each of the attributes.
  PARTIAL_UPDATE: {
    needs: ['productType', 'attributes'],
    refuses: ['requirements', 'patches'],
    read: ({ productType, attributes }) => ({
      operation: 'PATCH',
      productType: productType as string,
      patches: Object.entries(attributes as Fields).map(([name, value]) => ({
        op: 'replace',
        path: `/attributes/${name}`,
        value: value as unknown[],
      })),
    }),
  },
  PATCH: {
    needs: ['productType', 'patches'],
    refuses: ['requirements', 'attributes'],
    read: ({ productType, patches }) => ({
      operation: 'PATCH',
      productType: productType as string,
      patches: patches as BulkPatch[],
    }),
  },
  DELETE: {
    needs: [],
    refuses: ['requirements', 'attributes', 'productType', 'patches'],
    read: () => ({ operation: 'DELETE' }),
  },
}

/** A message by the rules of the public schema, or what is wrong with it. */
export function readMessage(value: unknown, text: string): BulkMessage | BulkIssue {
  const fault = findFault(value) ?? findOddText(value, text)
  if (fault !== undefined) return describeFault(value, fault)
  const message = value as Fields & { messageId: number; sku: string; operationType: string }
  const operation = operations[message.operationType] as (typeof operations)[string]
  return { messageId: message.messageId, sku: message.sku, change: operation.read(message) }
}

export const isFault = (message: BulkMessage | BulkIssue): message is BulkIssue => !('change' in message)

/** What a message that is none is told by: as much as there is of its id and its SKU. */
export function describeFault(value: unknown, message: string): BulkIssue {
  const { messageId, sku } = isObject(value) ? value : {}
  return {
    ...(isMessageId(messageId) && { messageId }),
    ...(isSku(sku) && sku.isWellFormed() && !sku.includes('\0') && { sku }),
    code: MESSAGE_FAULT_CODE,
    severity: 'ERROR',
    message,
  }
}

export const isMessageId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= HIGHEST_MESSAGE_ID

const isSku = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_SKU

function findFault(message: unknown): string | undefined {
  if (!isObject(message)) return 'A message must be an object.'
  const { messageId, sku, operationType, productType, requirements, attributes, patches } = message
  if (!isMessageId(messageId)) return `messageId must be a whole number from 1 to ${HIGHEST_MESSAGE_ID}.`
  if (!isSku(sku)) return `sku must be text of 1 to ${LONGEST_SKU} characters.`
  const names = Object.keys(operations)
  const operation = names.includes(operationType as string) && operations[operationType as string]
  if (!operation) return `operationType must be one of ${names.join(', ')}.`
  const missing = operation.needs.find((name) => message[name] === undefined)
  if (missing) return `${missing} is required with ${operationType}.`
  const extra = operation.refuses.find((name) => message[name] !== undefined)
  if (extra) return `${extra} must not be there with ${operationType}.`
  if (productType !== undefined && (typeof productType !== 'string' || productType === '')) {
    return 'productType must be the name of a product type.'
  }
  if (requirements !== undefined && !REQUIREMENTS.includes(requirements as Requirements)) {
    return `requirements must be one of ${REQUIREMENTS.join(', ')}.`
  }
  return (attributes !== undefined && findAttributesFault(attributes)) || findPatchesFault(patches)
}

function findAttributesFault(attributes: unknown): string | undefined {
  const count = isObject(attributes) ? Object.keys(attributes).length : 0
  if (count >= 1 && count <= MOST_ATTRIBUTES) return undefined
  return `attributes must be an object with 1 to ${MOST_ATTRIBUTES} attributes.`
}

function findPatchesFault(patches: unknown): string | undefined {
  if (patches === undefined) return undefined
  if (!Array.isArray(patches) || patches.length === 0 || patches.length > MOST_PATCHES) {
    return `patches must be a list of 1 to ${MOST_PATCHES} patches.`
  }
  const odd = patches.findIndex((patch) => !isPatch(patch))
  if (odd === -1) return undefined
  return `patches[${odd}] must have an op (${PATCH_OPERATIONS.join(', ')}), a path, and a list as its value.`
}

const isPatch = (patch: unknown) =>
  isObject(patch) &&
  PATCH_OPERATIONS.includes(patch.op as BulkPatch['op']) &&
  typeof patch.path === 'string' &&
  (patch.value === undefined || Array.isArray(patch.value))

/** What no database could hold, or what no object should. It can be spelt by escapes only, or is in plain sight. */
function findOddText(value: unknown, text: string): string | undefined {
  if (!text.includes('\\u') && !text.includes('__proto__')) return undefined
  const oddity = findOddity(value)
  return oddity && `${oddity.path.join('.')} ${oddity.reason}.`
}
