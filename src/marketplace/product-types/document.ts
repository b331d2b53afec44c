import type { Group, ParentageLevel, Requirements } from './definition.ts'
import { GROUPS } from './definition.ts'
import { META_SCHEMA_ID } from './meta-schema.ts'
import type { ProductType } from './product-type.ts'

export interface DocumentOptions {
  requirements: Requirements
  /** Whether the document enforces required attributes. */
  enforced: boolean
  locale: string
  /** Omits rules for other levels. */
  parentageLevel?: ParentageLevel
}

// An offer has to identify its product, so these belong to the terms of sale too.
const IDENTIFIERS = ['externally_assigned_product_identifier', 'merchant_suggested_asin']

const groupTexts: Record<Group, Record<'en' | 'de', [title: string, description: string]>> = {
  product_identity: {
    en: ['Product identity', 'Names and identifiers of the product'],
    de: ['Produktidentität', 'Namen und Kennnummern des Produkts'],
  },
  variations: {
    en: ['Variations', 'Relations to products that differ in size, color or other properties'],
    de: ['Varianten', 'Beziehungen zu Produkten, die sich in Größe, Farbe oder anderen Eigenschaften unterscheiden'],
  },
  offer: {
    en: ['Offer', 'The terms of sale: price, condition, stock and delivery'],
    de: ['Angebot', 'Die Verkaufsbedingungen: Preis, Zustand, Bestand und Lieferung'],
  },
  images: {
    en: ['Images', 'Images of the product'],
    de: ['Bilder', 'Bilder des Produkts'],
  },
  product_details: {
    en: ['Product details', 'Appearance, material and target group of the product'],
    de: ['Produktdetails', 'Aussehen, Material und Zielgruppe des Produkts'],
  },
  shipping: {
    en: ['Shipping', 'Weight and dimensions of the packaged product'],
    de: ['Versand', 'Gewicht und Maße des verpackten Produkts'],
  },
  safety_and_compliance: {
    en: ['Safety and compliance', 'Legally required product information'],
    de: ['Sicherheit und Konformität', 'Gesetzlich vorgeschriebene Produktangaben'],
  },
}

/** Renders the JSON Schema by which sellers validate the attributes of a listing. */
export function schemaDocument(type: ProductType, options: DocumentOptions): object {
  const { requirements, enforced, locale } = options
  const described = attributesOf(type, options)
  return {
    $schema: META_SCHEMA_ID,
    title: type.displayName(locale),
    type: 'object',
    properties: Object.fromEntries(
      described.map((name) => [name, { title: type.title(name, locale), ...type.schemaOf(name) }]),
    ),
    // A partial listing may contain attributes that this document does not describe.
    ...(requirements === 'LISTING'
      ? { additionalProperties: false }
      : { propertyNames: { enum: type.attributeNames } }),
    ...(enforced && requiredIn(type, options)),
  }
}

/** Returns the property groups of the attributes in the document. */
export function propertyGroups(type: ProductType, options: DocumentOptions) {
  const described = attributesOf(type, options)
  const language = options.locale.startsWith('de') ? 'de' : 'en'
  const groups = GROUPS.map((group) => {
    const [title, description] = groupTexts[group][language]
    return [
      group,
      { title, description, propertyNames: described.filter((name) => type.group(name) === group) },
    ] as const
  })
  return Object.fromEntries(groups.filter(([, { propertyNames }]) => propertyNames.length > 0))
}

function attributesOf(type: ProductType, { requirements, parentageLevel }: DocumentOptions): string[] {
  return type.attributeNames.filter((name) => {
    if (parentageLevel === 'NONE' && type.group(name) === 'variations') return false
    if (requirements === 'LISTING_OFFER_ONLY') return type.isOffer(name) || IDENTIFIERS.includes(name)
    return requirements === 'LISTING' || !type.isOffer(name)
  })
}

function requiredIn(type: ProductType, { requirements, parentageLevel }: DocumentOptions): object {
  if (parentageLevel) return { required: type.required(requirements, parentageLevel) }
  const standalone = type.required(requirements, 'NONE')
  const child = type.required(requirements, 'CHILD')
  const parent = type.required(requirements, 'PARENT')
  const always = standalone.filter((name) => child.includes(name) && parent.includes(name))
  const besides = (names: readonly string[]) => ({ required: names.filter((name) => !always.includes(name)) })
  return {
    required: always,
    if: saysLevel('parent'),
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
    then: besides(parent),
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
    else: { if: saysLevel('child'), then: besides(child), else: besides(standalone) },
  }
}

const saysLevel = (level: string) => ({
  properties: { parentage_level: { contains: { properties: { value: { const: level } }, required: ['value'] } } },
  required: ['parentage_level'],
})
