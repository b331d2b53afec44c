import { requireParticipation, type SellerMarketplace } from '../../../marketplace/accounts/participation.ts'
import type { ProductType, ProductTypes } from '../../../marketplace/product-types/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Database, Reader, TransactionOptions } from '../../../platform/database/port.ts'
import { invalidInput } from '../../../platform/errors/api-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Change } from '../domain/change.ts'
import { renderIssue } from '../domain/issues.ts'
import type { Listing } from '../domain/listing.ts'
import { mayAddRelations } from '../domain/relations.ts'
import type { PatchItemBody, PutItemBody, SubmissionQuery, SubmissionResponse } from '../schema.ts'
import type { Batch } from './batch.ts'
import { parsePatch } from './patch.ts'
import {
  type ListingWriter,
  loadBatch,
  loadBatchToChange,
  type SubmissionRequest,
  type SubmissionSummary,
  type SubmissionTarget,
} from './writer.ts'

export interface WriteDependencies {
  database: Database
  ids: Ids
  productTypes: ProductTypes
  writer: ListingWriter
}

export type ListingWriteOperations = ReturnType<typeof createListingWriteOperations>

interface SubmissionInput {
  sellerId: string
  sku: string
  query: SubmissionQuery
  productTypeName: string
  /** The names of the attributes in the request. */
  attributes: readonly string[]
  makeChange(productType: ProductType): Change
}

interface PreparedSubmission {
  productType: ProductType
  locale: string
  request: SubmissionRequest
  batch: Batch
}

const ANY_PRODUCT = 'PRODUCT'
const LOCKS_LISTINGS: TransactionOptions = { isolation: 'read committed' }

export function createListingWriteOperations(dependencies: WriteDependencies) {
  const { database, ids, productTypes, writer } = dependencies

  return {
    putListingsItem({ sellerId }: SellerCaller, sku: string, query: SubmissionQuery, body: PutItemBody) {
      const { productType: productTypeName, requirements = 'LISTING', attributes } = body
      const makeChange: SubmissionInput['makeChange'] = (productType) => ({
        operation: 'PUT',
        productType,
        requirements,
        attributes,
      })
      return submit({ sellerId, sku, query, productTypeName, attributes: Object.keys(attributes), makeChange })
    },

    patchListingsItem({ sellerId }: SellerCaller, sku: string, query: SubmissionQuery, body: PatchItemBody) {
      const patches = body.patches.map(parsePatch)
      const makeChange: SubmissionInput['makeChange'] = (productType) => ({ operation: 'PATCH', productType, patches })
      const attributes = patches.map(({ attribute }) => attribute)
      return submit({ sellerId, sku, query, productTypeName: body.productType, attributes, makeChange })
    },

    async deleteListingsItem(
      { sellerId }: SellerCaller,
      sku: string,
      marketplaceIds: readonly string[],
    ): Promise<SubmissionResponse> {
      const submissionId = await database.transact(async (tx) => {
        const marketplaces = await requireParticipation(tx, sellerId, marketplaceIds)
        return writer.submitRemoval(tx, { sellerId, sku, marketplaces })
      }, LOCKS_LISTINGS)
      return { sku, status: 'ACCEPTED', submissionId, issues: [] }
    },
  }

  async function submit(input: SubmissionInput): Promise<SubmissionResponse> {
    await productTypes.load()
    if (input.query.mode === 'VALIDATION_PREVIEW') return preview(input)
    const relations = mayAddRelations(input.attributes) ? 'exclusive' : 'shared'
    const { result, prepared } = await database.transact(async (tx) => {
      const prepared = await prepare(tx, input, (target) => loadBatchToChange(tx, target, relations))
      return { result: await writer.submit(tx, prepared.request, prepared.batch), prepared }
    }, LOCKS_LISTINGS)
    return renderSubmission(input, prepared, result.status, result)
  }

  function preview(input: SubmissionInput): Promise<SubmissionResponse> {
    return database.read(async (reader) => {
      const prepared = await prepare(reader, input, (target) => loadBatch(reader, target))
      const draft = writer.preview(prepared.request, prepared.batch)
      const submissionId = ids.next('submission')
      return renderSubmission(input, prepared, draft.isValid ? 'VALID' : 'INVALID', { ...draft, submissionId })
    })
  }

  async function prepare(
    reader: Reader,
    { sellerId, sku, query, productTypeName, makeChange }: SubmissionInput,
    load: (target: SubmissionTarget) => Promise<Batch>,
  ): Promise<PreparedSubmission> {
    const target = { sellerId, sku, marketplaces: query.marketplaceIds.map((marketplaceId) => ({ marketplaceId })) }
    // Started together: on PostgreSQL they share a round trip.
    const [marketplaces, batch, named] = await Promise.all([
      requireParticipation(reader, sellerId, query.marketplaceIds),
      load(target),
      productTypeName === ANY_PRODUCT ? undefined : productTypes.find(reader, productTypeName),
    ])
    const [{ marketplaceId, languageCode }] = marketplaces as [SellerMarketplace]
    const current = batch.find({ sellerId, sku, marketplaceId })
    const productType = named ?? (await resolveProductType(reader, productTypes, productTypeName, current))
    if (!productType) {
      const missing = { kind: 'productType', id: productTypeName } as const
      throw invalidInput('productType', `Product type ${productTypeName} does not exist.`, missing)
    }
    return {
      productType,
      locale: query.issueLocale ?? languageCode,
      request: { sellerId, sku, marketplaces, change: makeChange(productType) },
      batch,
    }
  }
}

/** Returns the named product type. PRODUCT stands for the type that the listing already has. */
export function resolveProductType(
  reader: Reader,
  productTypes: Pick<ProductTypes, 'find'>,
  name: string,
  current: Listing | undefined,
): Promise<ProductType | undefined> {
  return productTypes.find(reader, name === ANY_PRODUCT && current ? current.productType : name)
}

function renderSubmission(
  { sku, query: { includedData = ['issues'] } }: SubmissionInput,
  { productType, locale }: PreparedSubmission,
  status: SubmissionResponse['status'],
  { submissionId, issues, asins }: SubmissionSummary & { submissionId: string },
): SubmissionResponse {
  return {
    sku,
    status,
    submissionId,
    // The specification's response always contains issues, even an empty list.
    issues: issues.map((issue) => renderIssue(issue, { locale, productType })),
    ...(includedData.includes('identifiers') && { identifiers: asins }),
  }
}
