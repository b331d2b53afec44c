import { CaseMaker } from './cases.ts'
import {
  type Check,
  checkInvalidRequests,
  checkParameters,
  checkQuota,
  checkRoute,
  checkValidRequests,
} from './checks.ts'
import { differences } from './differences.ts'
import { checkExamples } from './examples.ts'
import type { ModelRequest } from './generate.ts'
import { Market } from './market.ts'
import { labelOf, type ModelOperation } from './model.ts'
import { DifferenceList, type Outcome } from './outcome.ts'

export interface Result {
  outcomes: Outcome[]
  /** Listed differences that do not exist. */
  unused: string[]
}

interface Options {
  seed: number
  onOutcome?: (outcome: Outcome) => void
}

/** Checks the operations `wanted` of all. */
export async function checkOperations(
  all: readonly ModelOperation[],
  wanted: readonly ModelOperation[],
  { seed, onOutcome }: Options,
): Promise<Result> {
  await using market = await Market.start()
  await using limited = await Market.start('documented')
  const list = new DifferenceList(differences)
  const outcomes: Outcome[] = []
  for (const operation of wanted) {
    const served = market.find(operation)
    const checks = served
      ? await checkServed(operation, market, limited, seed)
      : [await checkUnserved(operation, market)]
    const outcome = list.judge(served?.name ?? labelOf(operation, all), served !== undefined, checks)
    outcomes.push(outcome)
    onOutcome?.(outcome)
  }
  return { outcomes, unused: list.listUnused(outcomes.map(({ operation }) => operation)) }
}

async function checkServed(operation: ModelOperation, market: Market, limited: Market, seed: number): Promise<Check[]> {
  const checks = [checkRoute(operation, market)]
  await market.reset()
  let maker = await CaseMaker.create(operation, market, seed)
  for (const check of [checkParameters, checkValidRequests, checkInvalidRequests]) {
    checks.push(...(await check(operation, market, maker)))
  }
  // The examples of writes are for a marketplace in which nothing was written.
  if (operation.method !== 'GET') {
    await market.reset()
    maker = await CaseMaker.create(operation, market, seed)
  }
  checks.push(...(await checkExamples(operation, market, maker)))
  return [...checks, ...(await checkQuota(operation, limited, placeholderRequest(operation, limited)))]
}

/** Quotas count before anything but the caller is looked at, so the request need not be valid. */
function placeholderRequest({ parameters, body }: ModelOperation, { demo }: Market): ModelRequest {
  const names = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  return {
    path: Object.fromEntries(names.map((name) => [name, name === 'sellerId' ? demo.sellerId : 'x'])),
    query: {},
    header: {},
    ...(body && { body: {} }),
  }
}

/** A client of an operation that Souk does not have learns that, and where to look. */
async function checkUnserved(operation: ModelOperation, market: Market): Promise<Check> {
  const { status, text } = await market.send(operation, placeholderRequest(operation, market))
  return {
    kind: 'route',
    name: `${operation.method} ${operation.path}`,
    violations: [
      ...(status === 404 ? [] : [`gets ${status}`]),
      ...(text.includes(`the operation ${operation.name} of`) ? [] : [`is not named by its name: ${text}`]),
      ...(text.includes('/docs/coverage') ? [] : ['has no link to the coverage']),
    ],
  }
}
