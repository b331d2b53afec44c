import type { Document, Node, Pair } from 'yaml'
import { MAX_VIOLATIONS } from '../../platform/errors/api-error.ts'
import type { Position, SeedProblem } from './problems.ts'

type Yaml = typeof import('yaml')

// The parser compares each alias with each.
const MAX_ALIASES = 10_000
const MAX_VALUES_WITH_ALIASES = 1_000_000
const CHARACTERS_PER_VALUE = 16

export interface YamlCheckOptions {
  positionAt(offset: number): Position
  /** Whether the document is all of the text, not a part of a large one. */
  isWhole: boolean
}

/** Finds what the parser of YAML accepts, and what can take long to convert. Takes as long as the text is, not its value. */
export function checkYaml(yaml: Yaml, document: Document.Parsed, options: YamlCheckOptions): SeedProblem[] {
  const check = new YamlCheck(yaml, options)
  check.measure(document.contents)
  return check.problems
}

class YamlCheck {
  readonly problems: SeedProblem[] = []
  readonly #yaml: Yaml
  readonly #options: YamlCheckOptions
  /** How many values an alias of each anchor stands for. */
  readonly #sizes = new Map<string, number>()
  #aliases = 0
  #valuesOfAliases = 0

  constructor(yaml: Yaml, options: YamlCheckOptions) {
    this.#yaml = yaml
    this.#options = options
  }

  /** Returns the number of values, with those that aliases stand for. */
  measure(node: unknown): number {
    const { isAlias, isCollection, isPair, isScalar } = this.#yaml
    if (this.problems.length >= MAX_VIOLATIONS) return 0
    if (isAlias(node)) return this.#measureAlias(node)
    if (isPair(node)) return this.measure(node.key) + this.measure(node.value)
    let size = 1
    if (isScalar(node) && typeof node.value === 'string') size += node.value.length / CHARACTERS_PER_VALUE
    else if (isCollection(node)) {
      if (this.#yaml.isMap(node)) this.#checkKeys(node.items)
      for (const item of node.items) size += this.measure(item)
    }
    const anchor = (node as { anchor?: string } | null)?.anchor
    if (anchor !== undefined) this.#sizes.set(anchor, size)
    return size
  }

  #measureAlias(alias: Node & { source: string }): number {
    if (!this.#options.isWhole) {
      this.#report(alias, 'is an alias, which a file of more than 1 MiB cannot have')
      return 0
    }
    const size = this.#sizes.get(alias.source)
    if (size === undefined) {
      this.#report(alias, `is an alias of ${shorten(alias.source)}, which is no anchor of an earlier value`)
      return 0
    }
    const wasTooMuch = this.#isTooMuch()
    this.#aliases++
    this.#valuesOfAliases += size
    if (!wasTooMuch && this.#isTooMuch())
      this.#report(
        alias,
        `is one of too many aliases: at most ${MAX_ALIASES}, for at most ${MAX_VALUES_WITH_ALIASES} values`,
      )
    return size
  }

  #isTooMuch(): boolean {
    return this.#aliases > MAX_ALIASES || this.#valuesOfAliases > MAX_VALUES_WITH_ALIASES
  }

  #checkKeys(pairs: readonly Pair[]): void {
    const seen = new Set<unknown>()
    for (const { key } of pairs) {
      if (!this.#yaml.isScalar(key)) continue
      if (key.value === '<<' && key.type === 'PLAIN')
        this.#report(key, 'is a merge key (<<), which is not supported: write the fields of the map')
      else if (seen.has(key.value)) this.#report(key, `has the key ${shorten(String(key.value))} twice in the same map`)
      seen.add(key.value)
      if (this.problems.length >= MAX_VIOLATIONS) return
    }
  }

  #report(node: Node, reason: string): void {
    this.problems.push({ path: '', reason, ...this.#options.positionAt(node.range?.[0] ?? 0) })
  }
}

const shorten = (name: string) => name.slice(0, 100)
