import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import {
  closestLocale,
  type ProductType,
  type ProductTypes,
  propertyGroups,
  versionOfAll,
} from '../../marketplace/product-types/index.ts'
import { requireSameSeller, type SellerCaller } from '../../platform/auth/caller.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { withoutFields } from '../../platform/errors/explanation.ts'
import {
  META_SCHEMA_PATH,
  metaSchemaText,
  renderSchemaLink,
  schemaPath,
  schemaText,
  toDocumentOptions,
} from './documents.ts'
import type { Definition, DefinitionQuery, ProductTypeList, SchemaParams, SchemaQuery, SearchQuery } from './schema.ts'
import { matchesSearch } from './search.ts'

export interface DefinitionsDependencies {
  database: Database
  productTypes: ProductTypes
  /** The URL at which sellers reach the service. */
  publicUrl: () => string
}

export type DefinitionOperations = ReturnType<typeof createDefinitionOperations>

const LATEST_VERSION_NAMES = ['LATEST', 'RELEASE_CANDIDATE']

export function createDefinitionOperations({ database, productTypes, publicUrl }: DefinitionsDependencies) {
  return {
    async searchDefinitionsProductTypes(caller: SellerCaller, query: SearchQuery): Promise<ProductTypeList> {
      if (query.keywords && query.itemName !== undefined) {
        throw new ApiError('InvalidInput', 'keywords and itemName cannot be combined. Send one of them.', '', {
          field: 'itemName',
          explain: withoutFields('itemName'),
        })
      }
      const { marketplaceIds } = query
      return database.read(async (reader) => {
        const own = await localeOf(reader, caller, marketplaceIds)
        const locale = resolveLocale(query.locale, own)
        const searchLocale = resolveLocale(query.searchLocale, own)
        const types = await productTypes.list(reader)
        const found = types.filter((type) => matchesSearch(type, query, searchLocale))
        return {
          productTypes: found.map(({ name, displayNames }) => ({
            name,
            displayName: displayNames[closestLocale(Object.keys(displayNames), locale)] ?? name,
            marketplaceIds,
          })),
          productTypeVersion: versionOfAll(types),
        }
      })
    },

    async getDefinitionsProductType(caller: SellerCaller, name: string, query: DefinitionQuery): Promise<Definition> {
      const { marketplaceIds, sellerId, productTypeVersion = 'LATEST', parentageLevel } = query
      const { requirements = 'LISTING', requirementsEnforced = 'ENFORCED' } = query
      if (sellerId !== undefined) requireSameSeller(caller, sellerId)
      const { type, own } = await database.read(async (reader) => ({
        own: await localeOf(reader, caller, marketplaceIds),
        type: await requireType(reader, name, productTypeVersion),
      }))
      const locale = type.closestLocale(resolveLocale(query.locale, own))
      const schemaQuery: SchemaQuery = {
        requirements,
        requirementsEnforced,
        locale,
        ...(parentageLevel && { parentageLevel }),
      }
      const options = toDocumentOptions(schemaQuery)
      return {
        metaSchema: renderSchemaLink(publicUrl(), META_SCHEMA_PATH, metaSchemaText),
        schema: renderSchemaLink(publicUrl(), schemaPath(type, schemaQuery), schemaText(type, options)),
        requirements,
        requirementsEnforced,
        propertyGroups: propertyGroups(type, options),
        locale,
        marketplaceIds,
        productType: type.name,
        displayName: type.displayName(locale),
        productTypeVersion: { version: type.version, latest: true, releaseCandidate: false },
      }
    },

    /** Returns the schema as text, because the checksum covers these bytes. */
    async getProductTypeSchema({ productType, version }: SchemaParams, query: SchemaQuery): Promise<string> {
      const type = await database.read((reader) => requireType(reader, productType, version))
      return schemaText(type, toDocumentOptions(query))
    },

    getProductTypeMetaSchema: () => metaSchemaText,
  }

  /** Only the latest version of a type is stored. It is also the release candidate. */
  async function requireType(reader: Reader, name: string, version: string): Promise<ProductType> {
    const type = await productTypes.find(reader, name)
    if (!type) {
      throw new ApiError('NotFound', 'The product type was not found.', `There is no product type ${name}.`, {
        missing: { kind: 'productType', id: name },
      })
    }
    if (LATEST_VERSION_NAMES.includes(version) || version === type.version) return type
    const details = `${name} has no version ${version}, or no longer: the latest is ${type.version}.`
    throw new ApiError('NotFound', 'The version of the product type was not found.', details, {
      explain: () => ({
        facts: { productType: name, version, latest: type.version },
        change: { replace: { [version]: type.version } },
      }),
    })
  }
}

/** Returns the locale of the first marketplace. The seller must participate in all of them. */
async function localeOf(reader: Reader, { sellerId }: SellerCaller, marketplaceIds: readonly string[]) {
  const [first] = await requireParticipation(reader, sellerId, marketplaceIds)
  return first?.languageCode ?? ''
}

const resolveLocale = (asked: string | undefined, own: string) =>
  asked === undefined || asked === 'DEFAULT' ? own : asked
