import type { Group, ParentageLevel, Requirements } from './definition.ts'
import { GROUPS } from './definition.ts'
import { META_SCHEMA_ID } from './meta-schema.ts'
import type { ProductType } from './product-type.ts'

export interface DocumentOptions {
  requirements: Requirements
  /** Whether the document demands the required attributes, or describes each attribute and no more. */
  enforced: boolean
  locale: string
  /** Where it is known, what is said only of other levels is left out. */
  parentageLevel?: ParentageLevel
}

// An offer has to say what it offers, so these go with the terms of sale too.
const IDENTIFIERS = ['externally_assigned_product_identifier', 'merchant_suggested_asin']

const groupTexts: Record<Group, Record<'en' | 'de', [title: string, description: string]>> = {
  product_identity: {
    en: ['Product identity', 'What the product is, and by which names and numbers it is known'],
    de: ['Produktidentität', 'Was das Produkt ist und unter welchen Namen und Nummern man es kennt'],
  },
  variations: {
    en: ['Variations', 'How the product belongs to others that differ in size, colour and the like'],
    de: ['Varianten', 'Wie das Produkt mit anderen zusammengehört, die in Größe, Farbe und dergleichen abweichen'],
  },
  offer: {
    en: ['Offer', 'The terms of sale: price, condition, stock and delivery'],
    de: ['Angebot', 'Die Verkaufsbedingungen: Preis, Zustand, Bestand und Lieferung'],
  },
  images: {
    en: ['Images', 'Where the pictures of the product are'],
    de: ['Bilder', 'Wo die Bilder des Produkts liegen'],
  },
  product_details: {
    en: ['Product details', 'How the product looks, what it is made of and whom it is for'],
    de: ['Produktdetails', 'Wie das Produkt aussieht, woraus es besteht und für wen es ist'],
  },
  shipping: {
    en: ['Shipping', 'What the product weighs and measures as it is sent'],
    de: ['Versand', 'Was das Produkt beim Versand wiegt und misst'],
  },
  safety_and_compliance: {
    en: ['Safety and compliance', 'What the law wants to be known of the product'],
    de: ['Sicherheit und Konformität', 'Was das Gesetz über das Produkt wissen will'],
  },
}

/** The JSON Schema of a whole set of attributes, as sellers check theirs against it. */
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
    // Half a listing may come with the other half, which this document does not describe.
    ...(requirements === 'LISTING'
      ? { additionalProperties: false }
      : { propertyNames: { enum: type.attributeNames } }),
    ...(enforced && requiredIn(type, options)),
  }
}

/** The groups of the attributes that the document describes. */
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
    // biome-ignore lint/suspicious/noThenProperty: this is JSON Schema's word
    then: besides(parent),
    // biome-ignore lint/suspicious/noThenProperty: this is JSON Schema's word
    else: { if: saysLevel('child'), then: besides(child), else: besides(standalone) },
  }
}

const saysLevel = (level: string) => ({
  properties: { parentage_level: { contains: { properties: { value: { const: level } }, required: ['value'] } } },
  required: ['parentage_level'],
})
