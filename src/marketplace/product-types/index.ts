export { MAX_VIOLATIONS } from './compiler.ts'
export {
  PARENTAGE_LEVELS,
  type ParentageLevel,
  ProductTypeDefinition,
  REQUIREMENTS,
  type Requirements,
} from './definition.ts'
export { type DefinitionViolation, findDefinitionViolation } from './definition-violations.ts'
export { type DocumentOptions, propertyGroups, schemaDocument } from './document.ts'
export { closestLocale } from './locales.ts'
export { META_SCHEMA_ID, metaSchema } from './meta-schema.ts'
export { ProductType } from './product-type.ts'
export { findDefinition, lookUpTypes, ProductTypes, versionOfAll } from './product-types.ts'
export { listProductTypes, type ProductTypeSummary, upsertProductTypes, type VersionedDefinition } from './store.ts'
export type { Violation } from './violations.ts'
