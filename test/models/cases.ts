import { seededRandom } from '../support/random-expressions.ts'
import { type Choice, generateRequest, listChoices, type ModelRequest, type Random, type Sources } from './generate.ts'
import type { Market } from './market.ts'
import type { ModelOperation } from './model.ts'
import { demoSources, recipeOf } from './recipes/index.ts'
import type { Recipe } from './recipes/recipe.ts'

/** A request that the model and the marketplace allow. */
export interface Case {
  name: string
  request: ModelRequest
}

const RANDOM_CASES = 8

/** Makes requests of an operation. The same seed makes the same ones. */
export class CaseMaker {
  readonly #operation: ModelOperation
  readonly #recipe: Recipe
  readonly #sources: Sources
  readonly #random: Random

  private constructor(operation: ModelOperation, recipe: Recipe, sources: Sources, random: Random) {
    this.#operation = operation
    this.#recipe = recipe
    this.#sources = sources
    this.#random = random
  }

  static async create(operation: ModelOperation, market: Market, seed: number): Promise<CaseMaker> {
    const recipe = recipeOf(operation.name)
    const sources = { ...demoSources(market), ...(await recipe.sources?.(market)) }
    return new CaseMaker(operation, recipe, sources, seededRandom(seed ^ hash(operation.name)))
  }

  minimal = (): ModelRequest => this.#make(0)
  everything = (): ModelRequest => this.#make(1)

  /** Each parameter, and each property of the body, with only what is required. */
  parameterCases(): Case[] {
    const { parameters, body, definitions } = this.#operation
    const properties = Object.keys(body ? (propertiesOf(body.schema, definitions) ?? {}) : {})
    return [
      ...parameters.map((one) => ({ name: one.name, request: this.#make(0, { include: `${one.in}.${one.name}` }) })),
      ...properties.map((name) => ({ name: `body.${name}`, request: this.#make(0, { include: `body.${name}` }) })),
    ]
  }

  validCases(): Case[] {
    const cases = [
      { name: 'minimal', request: this.minimal() },
      { name: 'everything', request: this.everything() },
      ...listChoices(this.#operation, this.#sources).map((choice) => ({
        name: `${choice.place} = ${choice.value}`,
        request: this.#make(0.2, { choice }),
      })),
      ...Array.from({ length: RANDOM_CASES }, (_, index) => ({
        name: `random ${index + 1}`,
        request: this.#make(0.5),
      })),
    ]
    const seen = new Set<string>()
    return cases.filter(({ request }) => {
      const text = JSON.stringify(request)
      return seen.size < seen.add(text).size
    })
  }

  /** Adds what an incomplete request lacks. */
  combine(request: ModelRequest, kept = ''): ModelRequest {
    const copy = structuredClone(request)
    this.#recipe.combine?.(copy, kept)
    return copy
  }

  /** Replaces what the operation uses up. */
  async renew(request: ModelRequest, market: Market): Promise<ModelRequest> {
    const copy = structuredClone(request)
    await this.#recipe.renew?.(copy, market)
    return copy
  }

  #make(optional: number, { include, choice }: { include?: string; choice?: Choice } = {}): ModelRequest {
    const request = generateRequest(this.#operation, {
      random: this.#random,
      sources: this.#sources,
      optional,
      include: include === undefined ? [] : [include],
      choice,
    })
    const kept = (choice?.place ?? include ?? '').replace(/(\.\*)+$/, '')
    return this.combine(request, kept.slice(kept.lastIndexOf('.') + 1))
  }
}

function propertiesOf(
  schema: { $ref?: string; properties?: object },
  definitions: Record<string, { properties?: object }>,
) {
  return schema.$ref ? definitions[schema.$ref.replace('#/definitions/', '')]?.properties : schema.properties
}

const hash = (text: string) => [...text].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7)
