import { writeFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { incidentsFor } from '../grade/concerned.ts'
import { CHECKS, type Grade, gradePasses } from '../grade/grade.ts'
import { renderHtml } from '../grade/html.ts'
import { renderJunit } from '../grade/junit.ts'
import { runPasses } from '../grade/run-passes.ts'
import { renderText } from '../grade/text.ts'
import type { Rates } from '../platform/throttle/limits.ts'
import type { Souk } from '../public-types.ts'
import { requireCommand } from './command-arguments.ts'
import { integer, rates } from './parse-options.ts'
import { runCommand } from './run-command.ts'
import { withEnvironment } from './run-environment.ts'
import { UserError } from './user-error.ts'

interface GradeOptions {
  junit: string | undefined
  html: string | undefined
  incident: string[]
  skip: string[]
  timeout: number
  rates: Rates
  delay: number
}

const EXIT_FAILED = 1
const NO_INCIDENT = 'none'
/** The requests of one run. */
const LOGGED_REQUESTS = 100_000
/** Areas that sellers' software does not call. */
const OTHER_AREAS = ['operator', 'health', 'stand-in']

export function addGradeCommand(program: Command): void {
  program
    .command('grade')
    .description('Run a command in a calm local marketplace and once with each incident, and grade what it did')
    .usage('[options] -- <command> [arguments...]')
    .argument('[command...]', 'the command and its arguments, after --')
    .option('--junit <file>', 'write the report for a CI server')
    .option('--html <file>', 'write the report as a page')
    .option(
      '--incident <name>',
      'an incident to run with, can be repeated; none for the calm run alone (default: those that concern what the command calls)',
      addTo,
      [],
    )
    .option('--skip <check>', `a check to leave out, can be repeated: ${checkNames().join(', ')}`, addCheck, [])
    .option(
      '--timeout <seconds>',
      'maximum time of one run, after which the command is stopped and the run has failed',
      integer('--timeout', { min: 1, max: 86_400 }),
      600,
    )
    .option('--rates <rates>', 'quotas: documented, off, or a multiplier', rates, 'documented')
    .option(
      '--delay <milliseconds>',
      'minimum time a job spends in each state',
      integer('--delay', { min: 0, max: 3_600_000 }),
      0,
    )
    .allowUnknownOption()
    .action(async (words: string[], options: GradeOptions, self: Command) => {
      const grade = await runAndGrade(requireCommand(words, process.argv, self), options)
      if (options.junit !== undefined) write(options.junit, renderJunit(grade))
      if (options.html !== undefined) write(options.html, renderHtml(grade))
      console.log(renderText(grade))
      process.exitCode = grade.isPassed ? 0 : EXIT_FAILED
    })
}

const checkNames = () => CHECKS.map(({ name }) => name)

const addTo = (value: string, before: string[]) => [...before, value]

function addCheck(name: string, before: string[]): string[] {
  if (!checkNames().includes(name)) throw new InvalidArgumentError(`It must be one of ${checkNames().join(', ')}.`)
  return [...before, name]
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UserError(`cannot write the report: ${(error as Error).message}`)
  }
}

async function runAndGrade(command: [string, ...string[]], options: GradeOptions): Promise<Grade> {
  const { startStandIn } = await import('../stand-in/stand-in.ts')
  const souk = await startStandIn({
    rates: options.rates,
    delay: options.delay,
    requestLog: LOGGED_REQUESTS,
    // As for `souk run`.
    proxyThrough: 'any',
  })
  let isInterrupted = false
  const onSignal = () => {
    isInterrupted = true
  }
  return withEnvironment(souk, async (env) => {
    checkIncidents(options.incident, await souk.incidents.list())
    const passes = await runPasses({
      souk,
      run: () => runCommand(command, env, { timeoutSeconds: options.timeout, onSignal }),
      isInterrupted: () => isInterrupted,
      chooseIncidents(calm) {
        if (options.incident.length > 0) return options.incident.filter((name) => name !== NO_INCIDENT)
        return incidentsFor(calm)
      },
      progress: (line) => console.error(`souk grade: ${line}`),
    })
    const operations = await readOperations(souk)
    return gradePasses({ command: command.join(' '), passes, isInterrupted, operations, skipped: options.skip })
  })
}

function checkIncidents(names: readonly string[], known: readonly { name: string }[]): void {
  const unknown = names.find((name) => name !== NO_INCIDENT && !known.some((one) => one.name === name))
  if (unknown === undefined) return
  throw new UserError(
    `there is no incident ${unknown}: use ${known.map(({ name }) => name).join(', ')}, or ${NO_INCIDENT}`,
  )
}

interface Document {
  paths: Record<string, Record<string, { operationId: string; tags?: string[] }>>
}

/** The operations for sellers' software, from the document of the API. */
async function readOperations({ url }: Pick<Souk, 'url'>) {
  const { paths } = (await (await fetch(`${url}/docs/try/json`)).json()) as Document
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId: name, tags: [area = ''] = [] }) => ({ name, area }))
    .filter(({ area }) => !OTHER_AREAS.includes(area))
}
