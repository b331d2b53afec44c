// Plays the whole system in this process, in an order that a seed decides. See docs/simulation.md.
import { parseArgs } from 'node:util'
// First, before anything compresses.
import './deterministic-zlib.ts'
import { catchPlantedBugs } from './planted.ts'
import { simulate } from './simulate.ts'

const USAGE = `npm run simulate -- [--seeds 20] [--seed 1] [--steps 60] [--database sqlite|postgres] [--only 1,2,...]
  [--stop-at-failure] [--no-shrink] [--trace] [--planted]. See docs/simulation.md.`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '60' },
    only: { type: 'string' },
    database: { type: 'string', default: 'sqlite' },
    planted: { type: 'boolean', default: false },
    'stop-at-failure': { type: 'boolean', default: false },
    'no-shrink': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(USAGE)
  process.exit()
}
process.exitCode = (await (values.planted ? catchPlantedBugs(values.seeds) : run())) ? 0 : 1
// Instances that crashed never end.
process.exit()

async function run(): Promise<boolean> {
  const result = await simulate({
    database: values.database === 'postgres' ? 'postgres' : 'sqlite',
    firstSeed: Number(values.seed ?? 1),
    seeds: values.seed === undefined || process.argv.includes('--seeds') ? Number(values.seeds) : 1,
    steps: Number(values.steps),
    only: values.only === undefined ? undefined : new Set(values.only.split(',').map(Number)),
    stopsAtFailure: values['stop-at-failure'],
    shrinks: !values['no-shrink'] && values.only === undefined,
    print: console.log,
    ...(values.trace && { trace: console.log }),
  })
  console.log(JSON.stringify(result))
  return result.failed === 0
}
