import { requireParticipation, type SellingPlace } from '../../marketplace/participation.ts'
import type { ProductType, ProductTypes } from '../../marketplace/product-types/index.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { JobQueue } from '../../platform/jobs/port.ts'
import type { Entry, Patch } from './attributes.ts'
import { type Change, workOut } from './change.ts'
import { distinctIssues, hasErrors, type Issue, showIssue } from './issues.ts'
import type { PatchItemBody, PutItemBody, SubmissionQuery, SubmissionResponse } from './schema.ts'
import { findListing } from './store.ts'
import type { ListingWriter } from './writer.ts'

export interface WriteDependencies {
  database: Database
  clock: Clock
  ids: Ids
  jobs: Pick<JobQueue, 'wake'>
  productTypes: ProductTypes
  writer: ListingWriter
}

export type ListingWriteOperations = ReturnType<typeof createListingWriteOperations>

const ANY_PRODUCT = 'PRODUCT'
const ATTRIBUTE_PATH = /^\/attributes\/([^/]+)$/

export function createListingWriteOperations(dependencies: WriteDependencies) {
  const { database, clock, ids, jobs, productTypes, writer } = dependencies

  return {
    putListingsItem({ sellerId }: SellerCaller, sku: string, query: SubmissionQuery, body: PutItemBody) {
      return submit(sellerId, sku, query, body.productType, (productType) => ({
        operation: 'PUT',
        productType,
        requirements: body.requirements ?? 'LISTING',
        attributes: body.attributes,
      }))
    },

    patchListingsItem({ sellerId }: SellerCaller, sku: string, query: SubmissionQuery, body: PatchItemBody) {
      const patches = body.patches.map(readPatch)
      return submit(sellerId, sku, query, body.productType, (productType) => ({
        operation: 'PATCH',
        productType,
        patches,
      }))
    },

    async deleteListingsItem(
      { sellerId }: SellerCaller,
      sku: string,
      marketplaceIds: readonly string[],
    ): Promise<SubmissionResponse> {
      const submissionId = await database.transact(async (tx) => {
        await requireParticipation(tx, sellerId, marketplaceIds)
        return writer.remove(
          tx,
          marketplaceIds.map((marketplaceId) => ({ sellerId, sku, marketplaceId })),
        )
      })
      return { sku, status: 'ACCEPTED', submissionId, issues: [] }
    },
  }

  async function submit(
    sellerId: string,
    sku: string,
    query: SubmissionQuery,
    productTypeName: string,
    makeChange: (productType: ProductType) => Change,
  ): Promise<SubmissionResponse> {
    await productTypes.load()
    if (query.mode === 'VALIDATION_PREVIEW') return preview(sellerId, sku, query, productTypeName, makeChange)
    const { result, productType, locale } = await database.transact(async (tx) => {
      const { productType, places } = await prepareSubmission(tx, sellerId, sku, query, productTypeName)
      const result = await writer.submit(tx, { sellerId, sku, places, change: makeChange(productType) })
      return { result, productType, locale: query.issueLocale ?? places[0]?.languageCode ?? 'en_US' }
    })
    if (result.isQueued) jobs.wake()
    const { submissionId, status, issues, asins } = result
    return respond(sku, query, { submissionId, status, issues, asins, productType, locale })
  }

  /** The same as the real thing up to the point where it would be written. */
  function preview(
    sellerId: string,
    sku: string,
    query: SubmissionQuery,
    productTypeName: string,
    makeChange: (productType: ProductType) => Change,
  ): Promise<SubmissionResponse> {
    return database.read(async (reader) => {
      const { productType, places } = await prepareSubmission(reader, sellerId, sku, query, productTypeName)
      const change = makeChange(productType)
      const marketplaceIds = places.map((place) => place.marketplaceId)
      const keys = marketplaceIds.map((marketplaceId) => ({ sellerId, sku, marketplaceId }))
      const befores = await Promise.all(keys.map((key) => findListing(reader, key)))
      const outcomes = places.map(({ marketplaceId, currencyCode }, index) => {
        const key = { sellerId, sku, marketplaceId }
        return workOut(befores[index], change, { key, marketplaceIds, now: clock.now(), currencyCode })
      })
      const issues = distinctIssues(outcomes.flatMap((outcome) => outcome.issues))
      const asins = befores.flatMap((one) => (one?.asin ? [{ marketplaceId: one.marketplaceId, asin: one.asin }] : []))
      return respond(sku, query, {
        submissionId: ids.next('submission'),
        status: hasErrors(issues) ? 'INVALID' : 'VALID',
        issues,
        asins,
        productType,
        locale: query.issueLocale ?? places[0]?.languageCode ?? 'en_US',
      })
    })
  }

  async function prepareSubmission(
    reader: Reader,
    sellerId: string,
    sku: string,
    query: SubmissionQuery,
    productTypeName: string,
  ) {
    const places = await requireParticipation(reader, sellerId, [...new Set(query.marketplaceIds)])
    const name = productTypeName === ANY_PRODUCT ? await typeOf(reader, sellerId, sku, places) : productTypeName
    const productType = await productTypes.find(reader, name)
    if (productType) return { productType, places }
    throw new ApiError(
      'InvalidInput',
      'The request has missing or invalid parameters: [productType]',
      `There is no product type ${productTypeName}.`,
    )
  }

  /** Whoever does not say what the product is means what it is already. */
  async function typeOf(reader: Reader, sellerId: string, sku: string, places: readonly SellingPlace[]) {
    const [{ marketplaceId }] = places as [SellingPlace]
    const listing = await findListing(reader, { sellerId, sku, marketplaceId })
    return listing?.productType ?? ANY_PRODUCT
  }
}

function readPatch({ op, path, value }: PatchItemBody['patches'][number], index: number): Patch {
  const [, attribute] = ATTRIBUTE_PATH.exec(path) ?? []
  if (attribute === undefined) {
    const details = 'A path is /attributes/ and the name of one attribute.'
    throw new ApiError('InvalidInput', `Invalid path provided in patch at index of ${index}.`, details)
  }
  if (value === undefined && op !== 'delete') {
    throw new ApiError('InvalidInput', `Value is missing for patch at index of ${index}.`)
  }
  return { op, attribute, ...(value !== undefined && { value: value as Entry[] }) }
}

function respond(
  sku: string,
  { includedData = ['issues'] }: SubmissionQuery,
  result: {
    submissionId: string
    status: SubmissionResponse['status']
    issues: readonly Issue[]
    asins: { marketplaceId: string; asin: string }[]
    productType: ProductType
    locale: string
  },
): SubmissionResponse {
  const { submissionId, status, issues, asins, productType, locale } = result
  return {
    sku,
    status,
    submissionId,
    // The specification's answer always has them, empty when there are none.
    issues: issues.map((issue) => showIssue(issue, { locale, productType })),
    ...(includedData.includes('identifiers') && { identifiers: asins }),
  }
}
