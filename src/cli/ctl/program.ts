import { Command, CommanderError, Option } from 'commander'
import { ConfigError, parseOrigin } from '../../config/config.ts'
import type { Verification } from '../../dev/requests/verify/public.ts'
import { VerificationError } from '../../dev/requests/verify/verification-error.ts'
import { origin } from '../parse-options.ts'
import { ControlClient, ControlError, EXIT_REFUSED, EXIT_UNREACHABLE } from './client.ts'
import { actCommands, CTL_COMMANDS, CTL_GROUPS, type CtlCommand, toKebabCase } from './commands.ts'
import { type ControlOperation, type OperationField, readControlOperations } from './operations.ts'
import type { CtlOutput } from './output.ts'
import { createIdleNotice, createProgressView, type IdleNotice, type ProgressOutput } from './progress-view.ts'
import { renderLine, renderText } from './render.ts'
import { parseField, parseJson, readContent } from './values.ts'

interface GlobalOptions {
  url: string
  json: boolean
}

type Values = Record<string, unknown>

const EXIT_USAGE = 2
const PROGRESS = 'getProgress'
const DEFAULT_URL = 'http://127.0.0.1:4700'
const HELP_HINT = 'Run with --help for usage.'
// Options of every command. A field of that name is set with --input.
const TAKEN = ['url', 'json', 'help', 'input', 'wait', 'follow', 'version']

/** Runs `souk ctl` with the words after it, and returns the exit code. */
export async function runCtl(
  words: readonly string[],
  { output, env }: { output: CtlOutput; env: Readonly<Record<string, string | undefined>> },
): Promise<number> {
  let program: Command | undefined
  try {
    program = createProgram(output, env)
    await program.parseAsync(words.map(toOptionName), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE
    if (error instanceof ConfigError) {
      output.err(`souk: ${error.message}`)
      return EXIT_USAGE
    }
    if (!(error instanceof ControlError)) throw error
    if (program?.opts<GlobalOptions>().json && error.body !== undefined) output.out(JSON.stringify(error.body, null, 2))
    else output.err(`souk: ${error.message}`)
    return error.exitCode
  }
}

/** Fields can be written as in the API: `--advanceSeconds` is `--advance-seconds`. */
const toOptionName = (word: string) =>
  word.replace(/^--[a-z]+[A-Z][A-Za-z]*(?==|$)/, (name) => `--${toKebabCase(name.slice(2))}`)

function createProgram(output: CtlOutput, env: Readonly<Record<string, string | undefined>>): Command {
  const operations = readControlOperations()
  const program = new Command('souk ctl')
    .description('Control a running souk dev: its clock, state and behavior.')
    .addOption(
      new Option('--url <url>', 'address of souk dev, also SOUK_URL')
        .default(env.SOUK_URL ? parseOrigin(env.SOUK_URL, 'SOUK_URL') : DEFAULT_URL)
        .argParser(origin('--url')),
    )
    .option('--json', 'print responses as JSON', false)
  for (const command of [...CTL_COMMANDS, ...actCommands(operations)]) {
    addCommand(program, command, requireOperation(command.operationId))
  }
  const call = program.command('call').description('Call any operation of the control plane by its id')
  for (const operation of operations) {
    const { operationId } = operation
    const pathFields = operation.fields.filter((field) => field.in === 'path').map(({ name }) => name)
    addCommand(call, { words: [operationId], operationId, arguments: pathFields }, operation)
  }
  program
    .command('wait')
    .description('Wait until no background work is due, and print its progress')
    .action((_options, command: Command) => wait(clientOf(command)))
  configure(program)
  return program

  function requireOperation(operationId: string): ControlOperation {
    const operation = operations.find((one) => one.operationId === operationId)
    if (!operation) throw new Error(`The control plane has no operation ${operationId}`)
    return operation
  }

  function configure(command: Command): void {
    command
      .exitOverride()
      .showHelpAfterError(HELP_HINT)
      .configureOutput({ writeOut: (text) => output.out(trim(text)), writeErr: (text) => output.err(trim(text)) })
    for (const one of command.commands) configure(one)
  }

  function addCommand(parent: Command, definition: CtlCommand, operation: ControlOperation): void {
    const {
      words,
      arguments: names = [],
      preset = {},
      assigns,
      takesFile,
      waits,
      followOperationId,
      example,
    } = definition
    const group = words.slice(0, -1).reduce(findOrAddGroup, parent)
    const command = group.command(words.at(-1) as string).description(definition.summary ?? operation.summary)
    const fields = operation.fields.filter(({ name }) => !(name in preset))
    for (const name of names) command.argument(`<${toKebabCase(name)}>`, describe(requireField(operation, name)))
    if (assigns) command.argument('[name=value...]', 'what to change; default: print all')
    const optional = assigns ? [] : fields.filter(({ name }) => !names.includes(name))
    for (const field of optional) if (!TAKEN.includes(field.name)) command.addOption(optionOf(field))
    if (takesFile) command.argument('<file>', 'the file; - for standard input')
    else if (operation.takesBody && !assigns) addInput(command, operation)
    if (followOperationId) command.option('--follow', 'print new ones as they come, until Ctrl+C', false)
    if (waits) command.option('--wait', 'wait until the background work that it causes is done', false)
    const exampleText = example && `\nExample:\n  souk ctl ${words.join(' ')} ${example}`
    if (exampleText) command.addHelpText('after', exampleText)
    command.action(async (...parameters: unknown[]) => {
      const options = command.opts<Values>()
      const client = clientOf(command)
      const args = parameters.slice(0, names.length) as string[]
      const fromArguments = names.map((name, index) => {
        const text = args[index] as string
        return [name, checked(command, () => parseField(requireField(operation, name), text))]
      })
      const assigned = assigns ? checked(command, () => parseAssignments(operation, parameters[0] as string[])) : {}
      const values = { ...valuesOf(optional, options), ...preset, ...Object.fromEntries(fromArguments), ...assigned }
      const reads = assigns && Object.keys(assigned).length === 0
      const other = options.follow === true ? followOperationId : reads ? assigns.readOperationId : undefined
      const called = other === undefined ? operation : requireOperation(other)
      const input = takesFile ? checked(command, () => readContent(`@${parameters[0]}`, 'the argument')) : options.input
      await run(client, called, { values, input, definition }).catch((error: unknown) => {
        // Its options alone do not say how to write them.
        if (!exampleText || !(error instanceof ControlError) || error.body === undefined) throw error
        throw new ControlError(error.message + exampleText, error.exitCode, error.body)
      })
      if (options.wait === true) await wait(client)
    })
  }

  function clientOf(command: Command): ControlClient & { json: boolean } {
    const { url, json } = command.optsWithGlobals<GlobalOptions>()
    return Object.assign(new ControlClient(url), { json })
  }

  async function run(
    client: ControlClient & { json: boolean },
    operation: ControlOperation,
    { values, input, definition }: { values: Values; input: unknown; definition: CtlCommand },
  ): Promise<void> {
    const { columns, printsDocument = false, showsProgress = false } = definition
    if (operation.operationId === PROGRESS && !client.json) {
      // Lines are what this command is for, a bar is not for a file.
      const isShown = output.isTerminal && (output.isOutTerminal ?? true)
      const shownOn = isShown ? output : { ...output, err: output.out, isTerminal: false }
      return watch(client, values, shownOn, createIdleNotice(output))
    }
    if (operation.streams) {
      for await (const { event, data } of client.stream(operation, values)) {
        if (event === 'dropped') throw new ControlError(`The stream ended. ${data.reason}`, EXIT_UNREACHABLE)
        if (event === 'skipped') {
          output.err(`souk: ${data.count} more were skipped`)
          continue
        }
        const line = columns ? renderLine(data, columns) : `${event}  ${renderText(data).replaceAll('\n', '  ')}`
        output.out(client.json ? JSON.stringify(data) : line)
        if (event === 'idle') return
      }
      // A reader ends with Ctrl+C, so this is a stop of Souk.
      throw client.ended()
    }
    const send = () => client.call(operation, values, input)
    const result = showsProgress ? await withProgress(client, send) : await send()
    const isJson = typeof result === 'object' && (client.json || printsDocument)
    const text = isJson ? JSON.stringify(result, null, 2) : renderText(result, columns)
    if (text !== '') output.out(text)
    if (isFailed(result)) throw new ControlError(describeFailed(result, client.json), EXIT_REFUSED)
  }

  async function withProgress<Result>(client: ControlClient, work: () => Promise<Result>): Promise<Result> {
    const view = createProgressView(output)
    const over = new AbortController()
    const shown = (async () => {
      for await (const { event, data } of client.stream(requireOperation(PROGRESS), {}, { signal: over.signal })) {
        view.show(event, data)
      }
    })()
    try {
      return await work()
    } finally {
      over.abort()
      // It is no failure of the work if there is no progress to show.
      await shown.catch(() => {})
      view.end()
    }
  }

  function wait(client: ControlClient): Promise<void> {
    return watch(client, { until: 'idle' }, output)
  }

  /** Shows progress until nothing is due, if the values say so, or until Ctrl+C. */
  async function watch(
    client: ControlClient,
    values: Values,
    shownOn: ProgressOutput,
    notice?: IdleNotice,
  ): Promise<void> {
    const view = createProgressView(shownOn)
    try {
      // A busy process may take long to respond.
      const events = client.stream(requireOperation(PROGRESS), values, { opened: notice?.start })
      for await (const { event, data } of events) {
        if (event === 'idle') return notice?.print()
        notice?.cancel()
        view.show(event, data)
      }
    } finally {
      notice?.cancel()
      view.end()
    }
    // A stop ends the stream, too.
    throw client.ended()
  }
}

function findOrAddGroup(parent: Command, word: string): Command {
  const existing = parent.commands.find((one) => one.name() === word)
  return existing ?? parent.command(word).description(CTL_GROUPS[word] ?? '')
}

function requireField({ fields, operationId }: ControlOperation, name: string): OperationField {
  const field = fields.find((one) => one.name === name)
  if (!field) throw new Error(`${operationId} has no field ${name}`)
  return field
}

function optionOf(field: OperationField): Option {
  const flag = `--${toKebabCase(field.name)}`
  const value = field.schema.type === 'boolean' ? '[boolean]' : '<value>'
  return new Option(`${flag} ${value}`, describe(field)).argParser((text) => parseField(field, text))
}

const describe = ({ schema, in: place, name }: OperationField) =>
  schema.description ?? (place === 'path' ? `the ${name}` : name)

/** Commander has the options by their names in camel case, as the API has. */
const valuesOf = (fields: readonly OperationField[], options: Values): Values =>
  Object.fromEntries(fields.flatMap(({ name }) => (options[name] === undefined ? [] : [[name, options[name]]])))

function parseAssignments(operation: ControlOperation, texts: readonly string[]): Values {
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', ...rest] = text.split('=')
      const field = operation.fields.find((one) => one.name === name)
      const known = operation.fields.map((one) => one.name).join(', ')
      if (!field || rest.length === 0) throw new Error(`"${text}" must be <name>=<value>. Names: ${known}.`)
      return [name, parseField(field, rest.join('='))]
    }),
  )
}

function addInput(command: Command, { takesFile }: ControlOperation): void {
  if (takesFile) command.option('--input <text>', 'the text, or @file', (text) => readContent(text, '--input'))
  else command.option('--input <json>', 'more fields as JSON, or @file', (text) => parseJson(text, '--input'))
}

/** An invalid argument is reported as commander reports an invalid option. */
function checked<Value>(command: Command, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`)
  }
}

const isFailed = (result: unknown): result is Verification =>
  (result as { passed?: unknown } | undefined)?.passed === false

/** JSON has what was seen instead. */
const describeFailed = (verification: Verification, isJson: boolean) =>
  isJson ? 'Not all expectations are met.' : new VerificationError(verification).message

const trim = (text: string) => text.replace(/\n$/, '')
