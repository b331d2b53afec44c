import { hash } from 'node:crypto'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { ProductTypeDefinition } from './definition.ts'
import type { ProductTypeTables } from './tables.ts'

/** The part of a product type that searches need. */
export type ProductTypeSummary = Pick<ProductTypeDefinition, 'name' | 'displayNames' | 'searchTerms'> & {
  version: string
}

/** A definition and the version of its content. */
export interface VersionedDefinition {
  definition: ProductTypeDefinition
  version: string
}

const db = queryBuilder<ProductTypeTables>()

const findVersion = prepareLookup((params: { name: string }) =>
  db.selectFrom('product_types').select('version').where('name', '=', params.name),
)

// Increase when the meaning of definitions changes, so that clients discard what they derived from them.
const FORMAT_VERSION = '1'

/** Hashes the content, so that an equal version means an equal definition. */
export function versionOf(definitionText: string): string {
  return hash('sha256', `${FORMAT_VERSION} ${definitionText}`, 'base64url').slice(0, 22)
}

export function summaryOf({ definition, version }: VersionedDefinition): ProductTypeSummary {
  const { name, displayNames, searchTerms } = definition
  return { name, version, displayNames, ...(searchTerms && { searchTerms }) }
}

/** Replaces definitions and returns their versions. */
export async function upsertProductTypes(
  tx: Transaction,
  definitions: readonly ProductTypeDefinition[],
  now: Date,
): Promise<string[]> {
  const rows = definitions.map((definition): ProductTypeTables['product_types'] => {
    const text = JSON.stringify(definition)
    const version = versionOf(text)
    const summary = JSON.stringify(summaryOf({ definition, version }))
    return { name: definition.name, version, summary, updated_at: now.toISOString(), definition: text }
  })
  await upsertMany(tx, 'product_types', ['name'], rows)
  return rows.map((row) => row.version)
}

export async function findProductTypeVersion(reader: Reader, name: string): Promise<string | undefined> {
  return (await reader.first(findVersion, { name }))?.version
}

export async function findProductType(reader: Reader, name: string): Promise<VersionedDefinition | undefined> {
  const row = await reader.first(db.selectFrom('product_types').selectAll().where('name', '=', name))
  return row && fromRow(row)
}

export async function listProductTypes(reader: Reader, page: PageRequest): Promise<VersionedDefinition[]> {
  let query = db.selectFrom('product_types').selectAll().orderBy('name').limit(page.limit)
  if (page.after) query = query.where('name', '>', page.after[0] as string)
  return (await reader.all(query)).map(fromRow)
}

export async function listProductTypeSummaries(reader: Reader): Promise<ProductTypeSummary[]> {
  const rows = await reader.all(db.selectFrom('product_types').select('summary'))
  return rows.map((row) => JSON.parse(row.summary))
}

const fromRow = (row: ProductTypeTables['product_types']): VersionedDefinition => ({
  definition: JSON.parse(row.definition),
  version: row.version,
})
