import { type Command, InvalidArgumentError } from 'commander'
import { INCIDENT_NAMES, incidentsFor } from '../grade/concerned.ts'
import { CHECKS, type Grade, gradePasses } from '../grade/grade.ts'
import { renderHtml } from '../grade/html.ts'
import { renderJunit } from '../grade/junit.ts'
import { runPasses } from '../grade/run-passes.ts'
import { renderText } from '../grade/text.ts'
import { defaultTimeout } from '../grade/timeouts.ts'
import type { Rates } from '../platform/throttle/limits.ts'
import type { Souk } from '../public-types.ts'
import { requireCommand } from './command-arguments.ts'
import { integer, rates } from './parse-options.ts'
import { reportFile, writeReport } from './report-file.ts'
import { runCommand } from './run-command.ts'
import { withEnvironment } from './run-environment.ts'

interface GradeOptions {
  junit: string | undefined
  html: string | undefined
  incident: string[]
  skip: string[]
  timeout: number | undefined
  rates: Rates
  delay: number
}

const EXIT_FAILED = 1
const NO_INCIDENT = 'none'
/** The requests of one run. */
const LOGGED_REQUESTS = 100_000
/** Of a page of a list, without which its next page is not known. */
const MAX_LOGGED_BODY_BYTES = 1024 * 1024
/** Areas that sellers' software does not call. */
const OTHER_AREAS = ['operator', 'health', 'stand-in']

export function addGradeCommand(program: Command): void {
  program
    .command('grade')
    .description('Run a command in a calm local marketplace and once with each incident, and grade what it did')
    .usage('[options] -- <command> [arguments...]')
    .argument('[command...]', 'the command and its arguments, after --')
    .option('--junit <file>', 'write the report for a CI server', reportFile)
    .option('--html <file>', 'write the report as a page', reportFile)
    .option(
      '--incident <name>',
      'an incident to run with, can be repeated; none for the calm run alone (default: those that concern what the command calls)',
      addIncident,
      [],
    )
    .option(
      '--skip <name>',
      `a check or an incident to leave out, can be repeated. The checks: ${checkNames().join(', ')}`,
      addSkipped,
      [],
    )
    .option(
      '--timeout <seconds>',
      'maximum time of one run, after which the command is stopped and the run has failed (default: 600, less for incidents without an end)',
      integer('--timeout', { min: 1, max: 86_400 }),
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
      console.log(renderText(grade))
      process.exitCode = grade.isPassed ? 0 : EXIT_FAILED
      if (options.junit !== undefined) writeReport(options.junit, renderJunit(grade))
      if (options.html !== undefined) writeReport(options.html, renderHtml(grade))
    })
}

const checkNames = () => CHECKS.map(({ name }) => name)

const addIncident = addOneOf([...INCIDENT_NAMES, NO_INCIDENT])

const addSkipped = addOneOf([...checkNames(), ...INCIDENT_NAMES])

function addOneOf(known: readonly string[]) {
  return (name: string, before: string[]): string[] => {
    if (!known.includes(name)) throw new InvalidArgumentError(`It must be one of ${known.join(', ')}.`)
    return [...before, name]
  }
}

async function runAndGrade(command: [string, ...string[]], options: GradeOptions): Promise<Grade> {
  const { startStandIn } = await import('../stand-in/stand-in.ts')
  const souk = await startStandIn({
    rates: options.rates,
    delay: options.delay,
    requestLog: LOGGED_REQUESTS,
    maxLoggedBodyBytes: MAX_LOGGED_BODY_BYTES,
    // As for `souk run`.
    proxyThrough: 'any',
  })
  let isInterrupted = false
  const onSignal = () => {
    isInterrupted = true
  }
  let calmSeconds = 0
  return withEnvironment(souk, async (environment) => {
    // The fixtures for pytest must neither reset this marketplace, which ends the incident, nor act on a fork of it.
    const env = { ...environment, SOUK_FORK: '0', SOUK_RESET: '0' }
    const passes = await runPasses({
      souk,
      async run(incident) {
        const startedAt = performance.now()
        const timeoutSeconds = options.timeout ?? defaultTimeout(incident, calmSeconds)
        const exitCode = await runCommand(command, env, { timeoutSeconds, onSignal })
        if (incident === undefined) calmSeconds = (performance.now() - startedAt) / 1000
        return exitCode
      },
      isInterrupted: () => isInterrupted,
      chooseIncidents(calm) {
        const chosen = options.incident.length > 0 ? options.incident : incidentsFor(calm)
        return chosen.filter((name) => name !== NO_INCIDENT && !options.skip.includes(name))
      },
      progress: (line) => console.error(`souk grade: ${line}`),
    })
    const operations = await readOperations(souk)
    return gradePasses({ command: command.join(' '), passes, isInterrupted, operations, skipped: options.skip })
  })
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
