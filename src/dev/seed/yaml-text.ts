import type { Document, Node } from 'yaml'
import { MAX_VIOLATIONS } from '../../platform/errors/api-error.ts'
import { parsePlainYaml } from './plain-yaml.ts'
import { type Position, SeedError, type SeedProblem } from './problems.ts'
import { addItems, parsePath, type SeedText } from './seed-text.ts'
import { pause, type ReportReading } from './steps.ts'
import { checkYaml } from './yaml-check.ts'
import { MAX_PART_CHARACTERS, splitYaml, type YamlPart } from './yaml-parts.ts'

type Yaml = typeof import('yaml')

/** Reads YAML. A large text is read in parts, because the document of a part takes a hundred times its size. */
export async function parseYamlText(text: string, report: ReportReading = () => {}): Promise<SeedText> {
  const yaml = await import('yaml')
  // Not an object, which has a `constructor` already.
  const fields = new Map<string, unknown>()
  const problems: SeedProblem[] = []
  const { parts, repeated } = await splitYaml(text)
  let characters = 0
  for (const part of parts) {
    if (problems.length >= MAX_VIOLATIONS) break
    const read = readPart(yaml, part)
    problems.push(...read.problems)
    if (part.name === undefined) return finish(read.value)
    if (part.isList) fields.set(part.name, addItems(fields.get(part.name), read.value))
    else for (const [name, value] of Object.entries(read.value ?? {})) fields.set(name, value)
    characters += part.text.length
    report(characters, text.length)
    await pause()
  }
  // Parts do not have all lines.
  report(text.length, text.length)
  for (const { name, line } of repeated) problems.push({ path: name, reason: 'is duplicated', line, column: 1 })
  return finish(Object.fromEntries(fields))

  function finish(read: unknown): SeedText {
    if (problems.length > 0) throw new SeedError(problems.slice(0, MAX_VIOLATIONS))
    return { value: read, locate: createLocate(yaml, parts) }
  }
}

interface ReadPart {
  value: unknown
  problems: SeedProblem[]
}

function readPart(yaml: Yaml, part: YamlPart): ReadPart {
  const plain = parsePlainYaml(part.text)
  if (plain) return { value: plain.value, problems: [] }
  if (part.text.length > MAX_PART_CHARACTERS) return { value: undefined, problems: [tooLarge(part)] }
  const { document, positionAt } = parsePart(yaml, part)
  const errors: SeedProblem[] = [...document.errors, ...document.warnings].slice(0, MAX_VIOLATIONS).map((error) => ({
    path: '',
    reason: `is not valid YAML: ${withoutExcerpt(error.message)}`,
    ...positionAt(error.pos[0]),
  }))
  try {
    const isWhole = part.name === undefined
    const problems = errors.length > 0 ? errors : checkYaml(yaml, document, { positionAt, isWhole })
    // The check bounds aliases.
    return { value: problems.length > 0 ? undefined : document.toJS({ maxAliasCount: -1 }), problems }
  } catch (error) {
    return { value: undefined, problems: [{ path: '', reason: explain(error), ...positionAt(0) }] }
  }
}

const tooLarge = ({ name, line }: YamlPart): SeedProblem => ({
  path: name ?? '',
  reason:
    'is too large to be read at once: a file of more than 1 MiB has the names of its sections and the dashes of their items at the beginning of lines',
  line: line + 1,
  column: 1,
})

function parsePart(yaml: Yaml, { text, line }: YamlPart) {
  const lineCounter = new yaml.LineCounter()
  const positionAt = (offset: number): Position => {
    const { line: row, col } = lineCounter.linePos(offset)
    return { line: line + Math.max(1, row), column: Math.max(1, col) }
  }
  const options = {
    lineCounter,
    prettyErrors: false,
    // Repeated keys are found later: the parser compares each key with each.
    uniqueKeys: false,
    stringKeys: true,
    // Also for a text that says it is YAML 1.1, whose merge keys and ordered maps can take long.
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
  } as const
  try {
    return { document: yaml.parseDocument(text, options) as Document.Parsed, positionAt }
  } catch (error) {
    const reason = explain(error)
    throw new SeedError([{ path: '', reason, line: line + 1, column: 1 }])
  }
}

function explain(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply'
  throw error
}

const withoutExcerpt = (message: string) => (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '')

type ParsedPart = ReturnType<typeof parsePart>

/** Finds places in the text. Keeps the last part that it parsed, since mistakes are often close together. */
function createLocate(yaml: Yaml, parts: readonly YamlPart[]): SeedText['locate'] {
  let last: { part: YamlPart; parsed: ParsedPart } | undefined
  return (path) => {
    const segments = parsePath(path)
    const [section, index] = segments
    const part = parts.findLast(
      ({ name, isList, firstIndex }) =>
        name === undefined || (name === section && (!isList || firstIndex <= Number(index ?? 0))),
    )
    if (!part) return { line: 1, column: 1 }
    if (part.text.length > MAX_PART_CHARACTERS) return { line: part.line + 1, column: 1 }
    if (last?.part !== part) last = { part, parsed: parsePart(yaml, part) }
    return locateIn(yaml, last.parsed, part.isList ? inList(part, segments) : segments)
  }
}

const inList = ({ firstIndex }: YamlPart, [, index, ...rest]: readonly (string | number)[]) =>
  index === undefined ? [] : [Number(index) - firstIndex, ...rest]

function locateIn(yaml: Yaml, { document, positionAt }: ParsedPart, path: readonly (string | number)[]): Position {
  let node: unknown = document.contents
  let offset = (node as Node | null)?.range?.[0] ?? 0
  for (const segment of path) {
    if (yaml.isAlias(node)) node = node.resolve(document)
    if (yaml.isMap(node)) {
      const pair = node.items.find(({ key }) => yaml.isScalar(key) && key.value === segment)
      if (!pair) break
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (yaml.isSeq(node) && typeof segment === 'number') {
      const item = node.items[segment]
      if (!item) break
      offset = (item as Node).range?.[0] ?? offset
      node = item
    } else break
  }
  return positionAt(offset)
}
