export {
  canonicalIdentifier,
  checkDigit,
  IDENTIFIER_TYPES,
  type Identifier,
  type IdentifierType,
  isValidGtin,
} from './identifiers.ts'
export {
  CatalogItem,
  type CatalogKey,
  IMAGE_VARIANTS,
  ITEM_CLASSIFICATIONS,
  MAX_ATTRIBUTE_BYTES,
  RELATIONSHIP_TYPES,
  RESTRICTION_REASONS,
  type Restriction,
} from './item.ts'
export { restrictionsFor } from './restrictions.ts'
export { type KeywordSearch, type Match, matchAsins, matchIdentifiers, matchKeywords } from './search.ts'
export { classificationKey, wordsOf } from './search-keys.ts'
export {
  addCatalogItems,
  type CatalogWriter,
  createCatalogWriter,
  findAsinsByIdentifier,
  findCatalogItem,
  findCatalogItems,
  findRestrictions,
  identifierId,
  identifiersOf,
  listCatalogItems,
  lockIdentifiers,
  type MarketplaceIdentifier,
  type NewCatalogItem,
} from './store.ts'
