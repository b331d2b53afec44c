import { hash } from 'node:crypto'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Reader } from '../../platform/database/port.ts'
import { builtInTypes } from './built-in/index.ts'
import { type Compiler, loadCompiler } from './compiler.ts'
import type { ProductTypeDefinition } from './definition.ts'
import { ProductType } from './product-type.ts'
import {
  findProductType,
  findProductTypeVersion,
  listProductTypeSummaries,
  type ProductTypeSummary,
  summaryOf,
  type VersionedDefinition,
  versionOf,
} from './store.ts'

const MAX_CACHED_TYPES = 200

let builtIn: ReadonlyMap<string, VersionedDefinition> | undefined

/** Built-in product types. Computes versions on first use, to keep the start fast. */
function builtInByName(): ReadonlyMap<string, VersionedDefinition> {
  builtIn ??= new Map(
    builtInTypes.map((definition) => [definition.name, { definition, version: versionOf(JSON.stringify(definition)) }]),
  )
  return builtIn
}

/** Returns the operator's definition, or the built-in one. */
export async function findDefinition(reader: Reader, name: string): Promise<VersionedDefinition | undefined> {
  return (await findProductType(reader, name)) ?? builtInByName().get(name)
}

/** Finds product types in the built-in ones and in definitions that are not stored yet. */
export async function lookUpTypes(
  definitions: readonly ProductTypeDefinition[],
): Promise<(name: string) => ProductType | undefined> {
  const compiler = await loadCompiler()
  const own = new Map(definitions.map((definition) => [definition.name, definition]))
  const found = new Map<string, ProductType | undefined>()
  return (name) => {
    if (!found.has(name)) {
      const definition = own.get(name) ?? builtInByName().get(name)?.definition
      const version = definition && versionOf(JSON.stringify(definition))
      found.set(name, definition && version !== undefined ? new ProductType(definition, version, compiler) : undefined)
    }
    return found.get(name)
  }
}

export const versionOfAll = (types: readonly ProductTypeSummary[]): string =>
  hash('md5', types.map(({ name, version }) => `${name} ${version}`).join('\n'), 'base64')

/** Built-in product types, and those that the operator added or replaced. */
export class ProductTypes {
  readonly #cache = new BoundedMap<string, ProductType>(MAX_CACHED_TYPES)
  #compiler: Compiler | undefined

  /** Loads the validator before a transaction starts, so that no transaction waits for it. */
  async load(): Promise<void> {
    this.#compiler ??= await loadCompiler()
  }

  /** Runs one point query, so that the operator's changes take effect at once. */
  async find(reader: Reader, name: string): Promise<ProductType | undefined> {
    const version = (await findProductTypeVersion(reader, name)) ?? builtInByName().get(name)?.version
    if (version === undefined) return undefined
    const ready = this.#cache.get(name)
    if (ready?.version === version) return ready
    return this.#compile(reader, name)
  }

  async #compile(reader: Reader, name: string): Promise<ProductType | undefined> {
    const found = await findDefinition(reader, name)
    if (!found) return undefined
    this.#compiler ??= await loadCompiler()
    const type = new ProductType(found.definition, found.version, this.#compiler)
    this.#cache.set(name, type)
    return type
  }

  /** Ordered by name. */
  async list(reader: Reader): Promise<ProductTypeSummary[]> {
    const types = new Map([...builtInByName()].map(([name, versioned]) => [name, summaryOf(versioned)]))
    for (const summary of await listProductTypeSummaries(reader)) types.set(summary.name, summary)
    return [...types.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }
}
