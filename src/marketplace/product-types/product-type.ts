import { type Check, type Compiler, MAX_VIOLATIONS } from './compiler.ts'
import type {
  AttributeDefinition,
  AttributeSchema,
  Group,
  ParentageLevel,
  ProductTypeDefinition,
  Requirements,
} from './definition.ts'
import { closestLocale, textIn } from './locales.ts'
import { createNormalizer } from './normalization.ts'
import type { Violation } from './violations.ts'

type Normalize = (value: unknown) => unknown

const identity: Normalize = (value) => value
const NO_SELECTORS: readonly string[] = []

/** A product type at work: what its definition says, as the questions that listings and definitions ask. */
export class ProductType {
  readonly name: string
  /** Another one for every other content. */
  readonly version: string
  readonly #definition: ProductTypeDefinition
  readonly #compiler: Compiler
  readonly #attributes: ReadonlyMap<string, AttributeDefinition>
  // Filled on first use: of the many attributes that a type knows, few are ever sent.
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

  /** The locale in which the type is shown to whoever asks for another. */
  closestLocale(asked: string): string {
    return closestLocale(Object.keys(this.#definition.displayNames), asked)
  }

  displayName(locale: string): string {
    return textIn(this.#definition.displayNames, locale)
  }

  has(attribute: string): boolean {
    return this.#attributes.has(attribute)
  }

  /** Whether it belongs to the terms of sale. All else is a fact about the product. */
  isOffer(attribute: string): boolean {
    return this.group(attribute) === 'offer'
  }

  group(attribute: string): Group | undefined {
    return this.#attributes.get(attribute)?.group
  }

  /** The keys by which the entries of an attribute are told apart. */
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

  /** The value with numbers where the schema wants numbers and numeric text came; anything else as it is. */
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

  /** What is wrong with the value of one attribute; nothing when it is valid. */
  check(attribute: string, value: unknown): readonly Violation[] {
    let check = this.#checks.get(attribute)
    if (!check) {
      const definition = this.#attributes.get(attribute)
      if (!definition) return [{ rule: 'unknown', attribute, path: '' }]
      check = this.#compiler.checkOf(definition.schema)
      this.#checks.set(attribute, check)
    }
    return check(attribute, value)
  }

  /** What is wrong with a whole set of attributes, those that are missing included. */
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

  /** The attributes that a listing must have. A parent of variations is not for sale, so it needs no terms of sale. */
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

/** As `schemaDocument` puts it in JSON Schema: any entry that says so makes a listing a parent, or else a child. */
function parentageLevelOf({ parentage_level: entries }: Readonly<Record<string, unknown>>): ParentageLevel {
  if (!Array.isArray(entries)) return 'NONE'
  const says = (value: string) => entries.some((entry) => (entry as { value?: unknown } | null)?.value === value)
  return says('parent') ? 'PARENT' : says('child') ? 'CHILD' : 'NONE'
}
