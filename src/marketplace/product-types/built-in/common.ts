import { MAX_SKU_LENGTH } from '../../sku.ts'
import type { AttributeDefinition } from '../definition.ts'
import {
  attribute,
  boolean,
  choice,
  integer,
  localized,
  localizedText,
  nonEmptyList,
  number,
  object,
  simple,
  text,
  textOrNumber,
} from './fields.ts'
import { offer } from './offer.ts'

const WEIGHT_UNITS = ['grams', 'kilograms', 'milligrams', 'ounces', 'pounds', 'hundredths_pounds', 'tons'] as const
const LENGTH_UNITS = ['millimeters', 'centimeters', 'decimeters', 'meters', 'inches', 'feet', 'yards'] as const

export const lengthUnit = choice(...LENGTH_UNITS)
const weight = object({ unit: choice(...WEIGHT_UNITS), value: number() })
const length = object({ unit: lengthUnit, value: number() })
const dimensions = object({ length, width: length, height: length })

const identity = {
  item_name: localizedText('product_identity', ['Item name', 'Artikelname'], { maxLength: 500 }),
  brand: localizedText('product_identity', ['Brand', 'Marke'], { maxLength: 100 }),
  manufacturer: localizedText('product_identity', ['Manufacturer', 'Hersteller'], { maxLength: 200 }),
  model_number: localizedText('product_identity', ['Model number', 'Modellnummer'], { maxLength: 100 }),
  model_name: localizedText('product_identity', ['Model name', 'Modellname'], { maxLength: 200 }),
  part_number: localizedText('product_identity', ['Part number', 'Teilenummer'], { maxLength: 100 }),
  item_type_name: localizedText('product_identity', ['Kind of item', 'Artikelart'], { maxLength: 200, maxUnique: 5 }),
  item_type_keyword: simple('product_identity', ['Item type keyword', 'Schlagwort der Artikelart'], text(200), {
    maxUnique: 5,
  }),
  recommended_browse_nodes: simple('product_identity', ['Browse nodes', 'Kategorien'], textOrNumber(), {
    maxUnique: 5,
  }),
  externally_assigned_product_identifier: attribute(
    'product_identity',
    ['Product identifier', 'Produktkennung'],
    object({ type: choice('ean', 'gtin', 'isbn', 'jan', 'minsan', 'upc'), value: text(50) }),
    { selectors: ['type'], maxUnique: 5 },
  ),
  supplier_declared_has_product_identifier_exemption: simple(
    'product_identity',
    ['Has no product identifier', 'Ohne Produktkennung'],
    boolean(),
  ),
  merchant_suggested_asin: simple('product_identity', ['Suggested ASIN', 'Vorgeschlagene ASIN'], text(10)),
}

const variations = {
  parentage_level: simple('variations', ['Parentage', 'Verwandtschaftsebene'], choice('child', 'parent')),
  child_parent_sku_relationship: attribute(
    'variations',
    ['Parent', 'Übergeordneter Artikel'],
    object({ parent_sku: text(MAX_SKU_LENGTH) }, { child_relationship_type: choice('variation') }),
    { selectors: ['child_relationship_type'] },
  ),
  variation_theme: attribute('variations', ['Variation theme', 'Variantendesign'], object({ name: text(200) })),
}

const details = {
  bullet_point: localizedText('product_details', ['Bullet points', 'Aufzählungspunkte'], {
    maxLength: 1000,
    maxUnique: 10,
  }),
  product_description: localizedText('product_details', ['Description', 'Beschreibung'], { maxLength: 10_000 }),
  generic_keyword: localizedText('product_details', ['Search terms', 'Suchbegriffe'], {
    maxLength: 2000,
    maxUnique: 10,
  }),
  color: attribute(
    'product_details',
    ['Color', 'Farbe'],
    localized({}, { value: text(200), standardized_values: nonEmptyList(text(100)) }),
    { selectors: ['language_tag'], maxUnique: 5 },
  ),
  style: localizedText('product_details', ['Style', 'Stil'], { maxUnique: 5 }),
  material: localizedText('product_details', ['Material', 'Material'], { maxUnique: 20 }),
  size: localizedText('product_details', ['Size', 'Größe']),
  pattern_type: localizedText('product_details', ['Pattern', 'Muster'], { maxUnique: 5 }),
  special_feature: localizedText('product_details', ['Special features', 'Besonderheiten'], { maxUnique: 10 }),
  lifestyle: localizedText('product_details', ['Lifestyle', 'Lebensstil'], { maxUnique: 10 }),
  seasons: localizedText('product_details', ['Seasons', 'Jahreszeiten'], { maxUnique: 10 }),
  strap_type: localizedText('product_details', ['Strap', 'Riemen'], { maxUnique: 5 }),
  care_instructions: localizedText('product_details', ['Care instructions', 'Pflegehinweise'], { maxUnique: 10 }),
  water_resistance_level: simple('product_details', ['Water resistance', 'Wasserbeständigkeit'], text(100)),
  number_of_items: simple('product_details', ['Number of items', 'Anzahl der Artikel'], integer(1, 1_000_000)),
  item_weight: attribute('product_details', ['Item weight', 'Artikelgewicht'], weight),
  item_dimensions: attribute('product_details', ['Item dimensions', 'Artikelmaße'], dimensions),
}

const shipping = {
  item_package_weight: attribute('shipping', ['Package weight', 'Verpackungsgewicht'], weight),
  item_package_dimensions: attribute('shipping', ['Package dimensions', 'Verpackungsmaße'], dimensions),
  item_package_quantity: simple('shipping', ['Package quantity', 'Packungsmenge'], integer(1, 1_000_000)),
  package_level: simple('shipping', ['Package level', 'Verpackungsebene'], choice('unit', 'case', 'pallet')),
  package_contains_sku: attribute(
    'shipping',
    ['Contents of the package', 'Inhalt der Verpackung'],
    object({ sku: text(MAX_SKU_LENGTH), quantity: integer(1, 1_000_000) }),
    { selectors: ['sku'] },
  ),
}

const safety = {
  country_of_origin: simple('safety_and_compliance', ['Country of origin', 'Herkunftsland'], text(100)),
  supplier_declared_dg_hz_regulation: simple(
    'safety_and_compliance',
    ['Dangerous goods regulation', 'Gefahrgutvorschriften'],
    text(100),
    { maxUnique: 5 },
  ),
  supplier_declared_material_regulation: simple(
    'safety_and_compliance',
    ['Material regulation', 'Materialvorschriften'],
    text(100),
    { maxUnique: 5 },
  ),
  batteries_required: simple('safety_and_compliance', ['Needs batteries', 'Benötigt Batterien'], boolean()),
  batteries_included: simple('safety_and_compliance', ['Batteries included', 'Batterien enthalten'], boolean()),
  warranty_description: localizedText('safety_and_compliance', ['Warranty', 'Garantie'], { maxLength: 2000 }),
}

const image = (english: string, german: string) =>
  attribute('images', [english, german], object({ media_location: text(2000) }))
const OTHER_IMAGES = [1, 2, 3, 4, 5, 6, 7, 8]
const images: Record<string, AttributeDefinition> = {
  main_product_image_locator: image('Main image', 'Hauptbild'),
  ...Object.fromEntries(
    OTHER_IMAGES.map((index) => [
      `other_product_image_locator_${index}`,
      image(`Other image ${index}`, `Weiteres Bild ${index}`),
    ]),
  ),
  swatch_product_image_locator: image('Color swatch', 'Farbmuster'),
}

/** Attributes of every product type. */
export const common: Record<string, AttributeDefinition> = {
  ...identity,
  ...variations,
  ...offer,
  ...images,
  ...details,
  ...shipping,
  ...safety,
}

/** Attributes that every type but the wildcard requires. */
export const commonRequired = {
  product: ['item_name', 'brand', 'bullet_point', 'product_description', 'country_of_origin'],
  offer: ['condition_type', 'purchasable_offer', 'fulfillment_availability'],
  child: ['child_parent_sku_relationship', 'variation_theme'],
  parent: ['variation_theme'],
}
