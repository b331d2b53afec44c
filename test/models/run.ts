// Checks Souk against the public models. See "The public models" in CONTRIBUTING.md.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Baseline, listFallen, raise, readBaseline, toBaseline, writeBaseline } from './baseline.ts'
import { checkOperations } from './check-operations.ts'
import { modelsBesideCheckout, readModels } from './model.ts'
import type { Outcome } from './outcome.ts'
import { formatFailures, formatHeader, formatRow, formatTotals } from './report.ts'

const WHERE =
  'The models are public: clone https://github.com/amzn/selling-partner-api-models, then npm run models -- <clone>/models'
const DEFAULT_SEED = 1

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    operation: { type: 'string', multiple: true },
    seed: { type: 'string', default: String(DEFAULT_SEED) },
    json: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
})

const [given] = positionals
const folder = given ?? modelsBesideCheckout
if (existsSync(folder)) process.exitCode = (await run(folder)) ? 0 : 1
else if (given === undefined) console.log(`models: SKIPPED, there are no models beside this checkout. ${WHERE}`)
else {
  console.error(`models: there is no folder ${given}. ${WHERE}`)
  process.exitCode = 1
}

async function run(folder: string): Promise<boolean> {
  const print = values.json ? () => {} : console.log
  const seed = Number(values.seed)
  const all = readModels(folder)
  const wanted = all.filter(({ name }) => values.operation?.includes(name) ?? true)
  if (wanted.length === 0) {
    console.error(`models: ${folder} has no such operation. ${WHERE}`)
    return false
  }
  print(formatHeader())
  const { outcomes, unused } = await checkOperations(all, wanted, { seed, onOutcome: (one) => print(formatRow(one)) })
  const failures = outcomes.flatMap(formatFailures)
  const current = toBaseline(outcomes)
  const fallen = seed === DEFAULT_SEED ? listFallen(selectBaseline(outcomes), current) : []
  if (values.json) console.log(JSON.stringify({ outcomes, unused, fallen }, null, 2))
  print(`\n${formatTotals(outcomes)}`)
  printList('Failed:', failures)
  printList('Listed differences that do not exist (test/models/differences.ts):', unused)
  printList('Fewer checks pass than before (test/models/baseline.json):', fallen)
  if (values.update && failures.length === 0) writeBaseline(raise(readBaseline(), current))
  return failures.length + unused.length + fallen.length === 0
}

/** With `--operation`, the part of the baseline that is checked. */
function selectBaseline(outcomes: readonly Outcome[]): Baseline {
  const baseline = readBaseline()
  if (!values.operation) return baseline
  return Object.fromEntries(
    outcomes.flatMap(({ operation }) => (baseline[operation] ? [[operation, baseline[operation]]] : [])),
  )
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.error(`\n${title}\n  ${lines.join('\n  ')}`)
}
