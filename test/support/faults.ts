import { expect } from 'vitest'
import type { FaultRule, FaultSettings } from '../../src/index.ts'
import type { TestSouk } from './souk.ts'

/** Adds a rule over HTTP, as a test in another language does. */
export async function addFault(souk: Pick<TestSouk, 'url'>, settings: FaultSettings): Promise<FaultRule> {
  const response = await fetch(`${souk.url}/_souk/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  })
  const rule = (await response.json()) as FaultRule
  expect(response.status, JSON.stringify(rule)).toBe(201)
  return rule
}
