import { REQUIREMENTS, type Requirements } from '../../../../marketplace/product-types/index.ts'
import { isSku, MAX_SKU_LENGTH } from '../../../../marketplace/sku.ts'
import { findUnsafeValue } from '../../../../platform/unstorable-json.ts'
import { type FeedIssue, MAX_MESSAGE_ID } from '../../feed.ts'
import { INVALID_MESSAGE_CODE } from '../../feed-error.ts'
import type { BulkMessage, BulkPatch } from '../../ports.ts'
import { isObject } from './header.ts'

const MAX_PATCHES = 500
const MAX_ATTRIBUTES = 1000
const PATCH_OPERATIONS: readonly BulkPatch['op'][] = ['add', 'replace', 'merge', 'delete']

type Fields = Record<string, unknown>
type Change = BulkMessage['change']

export interface ListingMessage extends BulkMessage {
  messageId: number
}

const operations: Record<string, { requires: string[]; forbids: string[]; toChange(message: Fields): Change }> = {
  UPDATE: {
    requires: ['productType', 'attributes'],
    forbids: ['patches'],
    toChange: ({ productType, requirements, attributes }) => ({
      operation: 'PUT',
      productType: productType as string,
      ...(requirements !== undefined && { requirements: requirements as Requirements }),
      attributes: attributes as Fields,
    }),
  },
  PARTIAL_UPDATE: {
    requires: ['productType', 'attributes'],
    forbids: ['requirements', 'patches'],
    toChange: ({ productType, attributes }) => ({
      operation: 'PARTIAL_UPDATE',
      productType: productType as string,
      attributes: attributes as Fields,
    }),
  },
  PATCH: {
    requires: ['productType', 'patches'],
    forbids: ['requirements', 'attributes'],
    toChange: ({ productType, patches }) => ({
      operation: 'PATCH',
      productType: productType as string,
      patches: patches as BulkPatch[],
    }),
  },
  DELETE: {
    requires: [],
    forbids: ['requirements', 'attributes', 'productType', 'patches'],
    toChange: () => ({ operation: 'DELETE' }),
  },
}

/** Validates a message by the rules of the public schema. */
export function parseMessage(value: unknown, text: string): ListingMessage | FeedIssue {
  const violation = findViolation(value) ?? findUnsafeText(value, text)
  if (violation !== undefined) return toMessageIssue(value, violation)
  const message = value as Fields & { messageId: number; sku: string; operationType: string }
  const operation = operations[message.operationType] as (typeof operations)[string]
  return { messageId: message.messageId, sku: message.sku, change: operation.toChange(message) }
}

export const isIssue = (message: ListingMessage | FeedIssue): message is FeedIssue => !('change' in message)

/** The issue of an invalid message, with its id and SKU if they are valid. */
export function toMessageIssue(value: unknown, message: string): FeedIssue {
  const { messageId, sku } = isObject(value) ? value : {}
  return {
    ...(isMessageId(messageId) && { messageId }),
    ...(isSku(sku) && sku.isWellFormed() && !sku.includes('\0') && { sku }),
    code: INVALID_MESSAGE_CODE,
    severity: 'ERROR',
    message,
  }
}

export const isMessageId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_MESSAGE_ID

function findViolation(message: unknown): string | undefined {
  if (!isObject(message)) return 'A message must be an object.'
  const { messageId, sku, operationType, productType, requirements, attributes, patches } = message
  if (!isMessageId(messageId)) return `messageId must be an integer from 1 to ${MAX_MESSAGE_ID}.`
  if (!isSku(sku)) return `sku must be a string of 1 to ${MAX_SKU_LENGTH} characters.`
  const names = Object.keys(operations)
  const operation = names.includes(operationType as string) && operations[operationType as string]
  if (!operation) return `operationType must be one of ${names.join(', ')}.`
  const missing = operation.requires.find((name) => message[name] === undefined)
  if (missing) return `${missing} is required with ${operationType}.`
  const extra = operation.forbids.find((name) => message[name] !== undefined)
  if (extra) return `${extra} is not allowed with ${operationType}.`
  if (productType !== undefined && (typeof productType !== 'string' || productType === '')) {
    return 'productType must be the name of a product type.'
  }
  if (requirements !== undefined && !REQUIREMENTS.includes(requirements as Requirements)) {
    return `requirements must be one of ${REQUIREMENTS.join(', ')}.`
  }
  return (attributes !== undefined && findAttributesViolation(attributes)) || findPatchesViolation(patches)
}

function findAttributesViolation(attributes: unknown): string | undefined {
  const count = isObject(attributes) ? Object.keys(attributes).length : 0
  if (count >= 1 && count <= MAX_ATTRIBUTES) return undefined
  return `attributes must be an object with 1 to ${MAX_ATTRIBUTES} attributes.`
}

function findPatchesViolation(patches: unknown): string | undefined {
  if (patches === undefined) return undefined
  if (!Array.isArray(patches) || patches.length === 0 || patches.length > MAX_PATCHES) {
    return `patches must be a list of 1 to ${MAX_PATCHES} patches.`
  }
  const invalidIndex = patches.findIndex((patch) => !isPatch(patch))
  if (invalidIndex === -1) return undefined
  return `patches[${invalidIndex}] must have an op (${PATCH_OPERATIONS.join(', ')}), a path, and a list as its value.`
}

const isPatch = (patch: unknown) =>
  isObject(patch) &&
  PATCH_OPERATIONS.includes(patch.op as BulkPatch['op']) &&
  typeof patch.path === 'string' &&
  (patch.value === undefined || Array.isArray(patch.value))

/** Finds text that cannot be stored, and keys that are unsafe. Only escapes, or a visible __proto__, can produce them. */
function findUnsafeText(value: unknown, text: string): string | undefined {
  if (!text.includes('\\u') && !text.includes('__proto__')) return undefined
  const unsafe = findUnsafeValue(value)
  return unsafe && `${unsafe.path.join('.')} ${unsafe.reason}.`
}
