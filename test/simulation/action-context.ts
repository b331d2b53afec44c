import type { Client, ClientDependencies } from './client.ts'
import type { Step } from './steps.ts'

export interface ActionContext extends ClientDependencies {
  client: Client
  /** All steps of the seed by their ids. */
  steps: ReadonlyMap<number, Step>
  put(key: string, content: string): void
  lastEvent(): Promise<number>
}

/** The key of a listing in the history. */
export const keyOf = (seller: number, sku: number) => `${seller}/${sku}`
