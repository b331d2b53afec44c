import { hash } from 'node:crypto'
import {
  type DocumentOptions,
  metaSchema,
  type ProductType,
  schemaDocument,
} from '../../marketplace/product-types/index.ts'
import type { SchemaQuery } from './schema.ts'

export const SCHEMAS_PATH = '/definitions/2020-09-01/schemas'
export const META_SCHEMA_PATH = '/definitions/2020-09-01/metaSchema'

export const metaSchemaText = JSON.stringify(metaSchema)

export const schemaText = (type: ProductType, options: DocumentOptions) => JSON.stringify(schemaDocument(type, options))

export const toDocumentOptions = ({ requirements, requirementsEnforced, locale, parentageLevel }: SchemaQuery) => ({
  requirements,
  enforced: requirementsEnforced === 'ENFORCED',
  locale,
  ...(parentageLevel && { parentageLevel }),
})

/** The URL of a schema. It contains everything the schema depends on, so its content never changes. */
export function schemaPath({ name, version }: ProductType, query: SchemaQuery): string {
  return `${SCHEMAS_PATH}/${name}/${version}?${new URLSearchParams(query)}`
}

export function renderSchemaLink(publicUrl: string, path: string, text: string) {
  return {
    link: { resource: new URL(path, publicUrl).href, verb: 'GET' as const },
    checksum: hash('md5', text, 'base64'),
  }
}
