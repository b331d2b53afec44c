import type { FastifyRequest } from 'fastify'
import type { Subject } from './subjects.ts'

export type SubjectIds = Partial<Record<Subject, readonly string[]>>

export interface RequestFacts {
  /** The operation id of the route, or `unknown` without one. */
  operation: string
  sellerId?: string
  applicationId?: string
  /** Of a request for a token, whose application is not known before its secret is verified. */
  clientId?: string
  /** Whether it is for a page of a list that is not the first. */
  nextPage?: true
  subjects: SubjectIds
}

/** By names of parameters and fields in lower case. */
export const SUBJECT_OF_NAME: Readonly<Record<string, Subject>> = {
  sku: 'sku',
  skus: 'sku',
  sellersku: 'sku',
  asin: 'asin',
  asins: 'asin',
  orderid: 'orderId',
  amazonorderid: 'orderId',
  amazonorderids: 'orderId',
  reportid: 'reportId',
  reporttype: 'reportType',
  reporttypes: 'reportType',
  reportscheduleid: 'reportScheduleId',
  feedid: 'feedId',
  feedtype: 'feedType',
  feedtypes: 'feedType',
  reportdocumentid: 'documentId',
  feeddocumentid: 'documentId',
  inputfeeddocumentid: 'documentId',
  uploaddestinationid: 'documentId',
  destinationid: 'destinationId',
  subscriptionid: 'subscriptionId',
  notificationtype: 'notificationType',
  notificationtypes: 'notificationType',
}

const MAX_IDS = 100
const MAX_LENGTH = 1000
const OFFERS_URI = /^\/products\/pricing\/v0\/(items|listings)\/([^/?]+)\/offers/

/**
 * Collects what a request is about. The caller is known after authentication and the ids of a body after it was parsed,
 * so most users want a hook of the handler or later.
 */
export function factsOf(request: FastifyRequest): RequestFacts {
  const { caller, body } = request
  const { operationId = 'unknown' } = request.routeOptions?.schema ?? {}
  const clientId = operationId === 'createToken' ? fieldsOf(body).client_id : undefined
  return {
    operation: operationId,
    ...(caller?.kind === 'seller' && { sellerId: caller.sellerId }),
    ...(caller && { applicationId: caller.applicationId }),
    ...(typeof clientId === 'string' && { clientId }),
    ...(hasPageToken(request.query) && { nextPage: true }),
    subjects: subjectsIn(request.params, request.query, body),
  }
}

export const PAGE_TOKENS: readonly string[] = ['nextToken', 'NextToken', 'pageToken', 'paginationToken']

function hasPageToken(query: unknown): boolean {
  const fields = fieldsOf(query)
  return PAGE_TOKENS.some((name) => fields[name] !== undefined)
}

/** Collects the ids in parameters and in bodies of requests and responses: of their fields, and of a batch. */
export function subjectsIn(...values: readonly unknown[]): SubjectIds {
  const found = new Map<Subject, Set<string>>()
  const add = (subject: Subject, value: unknown, isList = false) => {
    const ids = found.get(subject) ?? new Set()
    for (const id of textsOf(value, isList)) if (ids.size < MAX_IDS) ids.add(id)
    if (ids.size > 0) found.set(subject, ids)
  }
  const addFields = (fields: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(fields)) {
      const subject = SUBJECT_OF_NAME[name.toLowerCase()]
      if (subject) add(subject, value, value !== undefined && name.endsWith('s'))
    }
  }
  for (const value of values) {
    const fields = fieldsOf(value)
    addFields(fields)
    addIdentifiers(fields, add)
    // The rest of the path of a document's link, such as `reports/<id>`.
    if (typeof fields['*'] === 'string') add('documentId', fields['*'].split('/').at(-1))
    if (!Array.isArray(fields.requests)) continue
    for (const one of fields.requests.slice(0, MAX_IDS).map(fieldsOf)) {
      addFields(one)
      const [, kind, id = ''] = OFFERS_URI.exec(String(one.uri ?? '')) ?? []
      if (kind) add(kind === 'items' ? 'asin' : 'sku', decode(id))
    }
  }
  return Object.fromEntries([...found].map(([subject, ids]) => [subject, [...ids]]))
}

/** `identifiers` of a search are SKUs or ASINs, as `identifiersType` says. */
function addIdentifiers(
  fields: Record<string, unknown>,
  add: (subject: Subject, value: unknown, isList: boolean) => void,
): void {
  const { identifiers, identifiersType } = fields
  if (identifiers === undefined) return
  if (identifiersType === 'SKU') add('sku', identifiers, true)
  if (identifiersType === 'ASIN') add('asin', identifiers, true)
}

/** A list in a query is text with commas before validation. */
function textsOf(value: unknown, isList: boolean): string[] {
  if (Array.isArray(value)) return value.slice(0, MAX_IDS).filter(isId)
  return (isList ? String(value).split(',', MAX_IDS) : [value]).filter(isId)
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
