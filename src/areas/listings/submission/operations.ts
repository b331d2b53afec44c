import { requireParticipation, type SellerMarketplace } from '../../../marketplace/accounts/participation.ts'
import type { ProductType, ProductTypes } from '../../../marketplace/product-types/index.ts'
import type { SellerCaller } from '../../../platform/auth/caller.ts'
import type { Database, Reader } from '../../../platform/database/port.ts'
import { ApiError, invalidInput } from '../../../platform/errors/api-error.ts'
import type { Ids } from '../../../platform/ids/port.ts'
import type { Entry, Patch } from '../domain/attributes.ts'
import type { Change } from '../domain/change.ts'
import { renderIssue } from '../domain/issues.ts'
import type { Listing } from '../domain/listing.ts'
import type { PatchItemBody, PutItemBody, SubmissionQuery, SubmissionResponse } from '../schema.ts'
import type { Batch } from './batch.ts'
import { type ListingWriter, loadBatch, type SubmissionRequest, type SubmissionSummary } from './writer.ts'

export interface WriteDependencies {
  database: Database
  ids: Ids
  productTypes: ProductTypes
  writer: ListingWriter
}

export type ListingWriteOperations = ReturnType<typeof createListingWriteOperations>

/** What a caller wants of a listing, before anything has been looked up. */
interface SubmissionInput {
  sellerId: string
  sku: string
  query: SubmissionQuery
  productTypeName: string
  makeChange(productType: ProductType): Change
}

interface PreparedSubmission {
  productType: ProductType
  locale: string
  request: SubmissionRequest
  batch: Batch
}

const ANY_PRODUCT = 'PRODUCT'
const ATTRIBUTES_PATH = '/attributes/'

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
      return submit({ sellerId, sku, query, productTypeName, makeChange })
    },

    patchListingsItem({ sellerId }: SellerCaller, sku: string, query: SubmissionQuery, body: PatchItemBody) {
      const patches = body.patches.map(parsePatch)
      const makeChange: SubmissionInput['makeChange'] = (productType) => ({ operation: 'PATCH', productType, patches })
      return submit({ sellerId, sku, query, productTypeName: body.productType, makeChange })
    },

    async deleteListingsItem(
      { sellerId }: SellerCaller,
      sku: string,
      marketplaceIds: readonly string[],
    ): Promise<SubmissionResponse> {
      const submissionId = await database.transact(async (tx) => {
        const places = await requireParticipation(tx, sellerId, marketplaceIds)
        return writer.submitRemoval(tx, { sellerId, sku, marketplaces: places })
      })
      return { sku, status: 'ACCEPTED', submissionId, issues: [] }
    },
  }

  async function submit(input: SubmissionInput): Promise<SubmissionResponse> {
    await productTypes.load()
    if (input.query.mode === 'VALIDATION_PREVIEW') return preview(input)
    const { result, prepared } = await database.transact(async (tx) => {
      const prepared = await prepare(tx, input)
      return { result: await writer.submit(tx, prepared.request, prepared.batch), prepared }
    })
    return renderSubmission(input, prepared, result.status, result)
  }

  /** The same as the real thing up to the point where it would be written. */
  function preview(input: SubmissionInput): Promise<SubmissionResponse> {
    return database.read(async (reader) => {
      const prepared = await prepare(reader, input)
      const draft = writer.preview(prepared.request, prepared.batch)
      const submissionId = ids.next('submission')
      return renderSubmission(input, prepared, draft.isValid ? 'VALID' : 'INVALID', { ...draft, submissionId })
    })
  }

  async function prepare(
    reader: Reader,
    { sellerId, sku, query, productTypeName, makeChange }: SubmissionInput,
  ): Promise<PreparedSubmission> {
    const marketplaces = await requireParticipation(reader, sellerId, query.marketplaceIds)
    const [{ marketplaceId, languageCode }] = marketplaces as [SellerMarketplace]
    const batch = await loadBatch(reader, { sellerId, sku, marketplaces })
    const current = batch.find({ sellerId, sku, marketplaceId })
    const productType = await resolveProductType(reader, productTypes, productTypeName, current)
    if (!productType) throw invalidInput('productType', `There is no product type ${productTypeName}.`)
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

/** A patch as it was sent. Throws when its path or its lack of a value makes no sense, whatever the product. */
export function parsePatch({ op, path, value }: RawPatch, index: number): Patch {
  const attribute = attributeOf(path)
  if (attribute === undefined) {
    const reason = `patches[${index}].path must be /attributes/ and the name of one attribute.`
    throw new ApiError('InvalidInput', `Invalid path provided in patch at index of ${index}.`, '', { reason })
  }
  if (value === undefined && op !== 'delete') {
    const reason = `patches[${index}].value is required: only the operation delete may omit it.`
    throw new ApiError('InvalidInput', `Value is missing for patch at index of ${index}.`, '', { reason })
  }
  return { op, attribute, ...(value !== undefined && { value: value as Entry[] }) }
}

interface RawPatch {
  op: Patch['op']
  path: string
  value?: readonly unknown[]
}

function attributeOf(path: string): string | undefined {
  const name = path.startsWith(ATTRIBUTES_PATH) ? path.slice(ATTRIBUTES_PATH.length) : ''
  return name === '' || name.includes('/') ? undefined : name
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
    // The specification's answer always has them, empty when there are none.
    issues: issues.map((issue) => renderIssue(issue, { locale, productType })),
    ...(includedData.includes('identifiers') && { identifiers: asins }),
  }
}
