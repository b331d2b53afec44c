import { type Check, type Compiler, MAX_VIOLATIONS } from './compiler.ts'
import type {
  AttributeDefinition,
  AttributeSchema,
  Group,
  ParentageLevel,
  ProductTypeDefinition,
  Requirements,
} from './definition.ts'
import { interpretedSchemaOf } from './interpreted-attributes.ts'
import { closestLocale, textIn } from './locales.ts'
import { createNormalizer } from './normalization.ts'
import type { Violation } from './violations.ts'

type Normalize = (value: unknown) => unknown

const identity: Normalize = (value) => value
const NO_SELECTORS: readonly string[] = []

/** A definition as the listings and definitions areas use it. */
export class ProductType {
  readonly name: string
  /** Changes with the content. */
  readonly version: string
  readonly #definition: ProductTypeDefinition
  readonly #compiler: Compiler
  readonly #attributes: ReadonlyMap<string, AttributeDefinition>
  // Filled on first use: a type has many attributes, and clients send few of them.
  readonly #checks = new Map<string, Check>()
  readonly #normalizers = new Map<string, Normalize>()

  constructor(definition: ProductTypeDefinition, version: string, compiler: Compiler) {
    this.name = definition.name
    this.version = version
    this.#definition = definition
    this.#compiler = compiler
    this.#attributes = new Map(Object.entries(definition.attributes))
  }

  get attributeNames(): string[] {
    return [...this.#attributes.keys()]
  }

  /** The locale for clients that request an unavailable locale. */
  closestLocale(requested: string): string {
    return closestLocale(Object.keys(this.#definition.displayNames), requested)
  }

  displayName(locale: string): string {
    return textIn(this.#definition.displayNames, locale)
  }

  has(attribute: string): boolean {
    return this.#attributes.has(attribute)
  }

  /** Whether the attribute belongs to the terms of sale. All others describe the product. */
  isOffer(attribute: string): boolean {
    return this.group(attribute) === 'offer'
  }

  group(attribute: string): Group | undefined {
    return this.#attributes.get(attribute)?.group
  }

  /** The keys that distinguish entries of an attribute. */
  selectors(attribute: string): readonly string[] {
    return this.#attributes.get(attribute)?.schema.selectors ?? NO_SELECTORS
  }

  title(attribute: string, locale: string): string {
    const titles = this.#attributes.get(attribute)?.titles
    return titles ? textIn(titles, locale) : attribute
  }

  schemaOf(attribute: string): AttributeSchema | undefined {
    return this.#attributes.get(attribute)?.schema
  }

  /** Converts numeric text to numbers where the schema requires a number. */
  normalize(attribute: string, value: unknown): unknown {
    let normalize = this.#normalizers.get(attribute)
    if (!normalize) {
      const definition = this.#attributes.get(attribute)
      if (!definition) return value
      normalize = createNormalizer(definition.schema) ?? identity
      this.#normalizers.set(attribute, normalize)
    }
    return normalize(value)
  }

  normalizeAttributes(attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    let copy: Record<string, unknown> | undefined
    for (const name of Object.keys(attributes)) {
      const before = attributes[name]
      const after = this.normalize(name, before)
      if (after === before) continue
      copy ??= { ...attributes }
      copy[name] = after
    }
    return copy ?? attributes
  }

  /** Returns the violations of one attribute. */
  check(attribute: string, value: unknown): readonly Violation[] {
    let check = this.#checks.get(attribute)
    if (!check) {
      const definition = this.#attributes.get(attribute)
      if (!definition) return [{ rule: 'unknown', attribute, path: '' }]
      check = this.#createCheck(attribute, definition.schema)
      this.#checks.set(attribute, check)
    }
    return check(attribute, value)
  }

  #createCheck(name: string, schema: AttributeSchema): Check {
    const check = this.#compiler.checkOf(schema)
    const interpreted = interpretedSchemaOf(name, schema)
    if (!interpreted) return check
    const checkInterpreted = this.#compiler.checkOf(interpreted)
    return (attribute, value) => {
      const violations = check(attribute, value)
      return violations.length > 0 ? violations : checkInterpreted(attribute, value)
    }
  }

  /** Returns the violations of a whole listing, including missing attributes. */
  checkAll(attributes: Readonly<Record<string, unknown>>, requirements: Requirements): Violation[] {
    const violations: Violation[] = []
    for (const attribute of this.required(requirements, parentageLevelOf(attributes))) {
      if (!Object.hasOwn(attributes, attribute)) violations.push({ rule: 'required', attribute, path: '' })
    }
    for (const [attribute, value] of Object.entries(attributes)) {
      if (violations.length >= MAX_VIOLATIONS) break
      for (const violation of this.check(attribute, value)) violations.push(violation)
    }
    return violations.slice(0, MAX_VIOLATIONS)
  }

  /** Returns the required attributes. A variation parent is not for sale, so it needs no terms of sale. */
  required(requirements: Requirements, level: ParentageLevel = 'NONE'): readonly string[] {
    const { product = [], offer = [], child = [], parent = [] } = this.#definition.required ?? {}
    const ofProduct =
      level === 'PARENT' ? [...product, ...parent] : level === 'CHILD' ? [...product, ...child] : product
    const ofOffer = level === 'PARENT' ? [] : offer
    if (requirements === 'LISTING_PRODUCT_ONLY') return ofProduct
    if (requirements === 'LISTING_OFFER_ONLY') return ofOffer
    return [...new Set([...ofProduct, ...ofOffer])]
  }
}

/**
 * Follows the same rule as `schemaDocument`: any parent entry makes a listing a parent, otherwise any child entry a
 * child.
 */
function parentageLevelOf({ parentage_level: entries }: Readonly<Record<string, unknown>>): ParentageLevel {
  if (!Array.isArray(entries)) return 'NONE'
  const hasValue = (value: string) => entries.some((entry) => (entry as { value?: unknown } | null)?.value === value)
  return hasValue('parent') ? 'PARENT' : hasValue('child') ? 'CHILD' : 'NONE'
}
