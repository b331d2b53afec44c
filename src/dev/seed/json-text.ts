import { parseStrictJson } from '../../http/json-body.ts'
import { ApiError, toViolation } from '../../platform/errors/api-error.ts'
import { PART_CHARACTERS, splitJson } from './json-parts.ts'
import { JsonScan } from './json-scan.ts'
import { type Position, SeedError, type SeedProblem } from './problems.ts'
import { addItems, parsePath, type SeedText } from './seed-text.ts'
import { pause, type ReportReading } from './steps.ts'

/** Smaller texts are read at once. */
const MAX_WHOLE_CHARACTERS = 1024 * 1024

/** What V8 quotes before the place of an error. */
const EXCERPT_BEFORE = 10

/** Undefined if it is short and not JSON: it may be YAML with braces, and if not, the parser of YAML knows the place. */
export async function parseJsonText(text: string, report?: ReportReading): Promise<SeedText | undefined> {
  const scan = new JsonScan(text)
  const positionAt = createPositionAt(text)
  const locate = (path: string) => positionAt(scan.find(parsePath(path)))
  const value = text.length > MAX_WHOLE_CHARACTERS ? await parseParts(text, report) : undefined
  if (value !== undefined) return { value, locate }
  try {
    return { value: parseStrictJson(text), locate }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.cause === undefined) throw new SeedError([explain(error)])
    if (text.length <= MAX_WHOLE_CHARACTERS || !(error.cause instanceof SyntaxError)) return undefined
    // Of YAML, only parts of a long text can be read, and none of one in braces.
    throw new SeedError([explainSyntax(error.cause.message)])
  }

  function explain(error: ApiError): SeedProblem {
    const { path, reason } = toViolation(error)
    if (path) return { path, reason, ...locate(path) }
    return { path: '', reason: `is not valid: ${reason}`, ...positionAt(scan.findRefused() ?? 0) }
  }

  function explainSyntax(message: string): SeedProblem {
    const [what = message] = message.split(/,? (?:in JSON at|\.\.\.?"|"|is not valid JSON)/, 1)
    const at = findSyntaxError(text, message)
    return { path: '', reason: `is not valid JSON: ${what}`, ...(at !== undefined && positionAt(at)) }
  }
}

/** The place that an error of V8 names, or has an excerpt of. */
function findSyntaxError(text: string, message: string): number | undefined {
  const [, position] = /at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return Number(position)
  if (/end of JSON/.test(message)) return text.length
  const [, excerpt] = /\.\.\."(.*)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? []
  if (excerpt === undefined) return undefined
  const at = text.indexOf(excerpt)
  return text.indexOf(excerpt, at + 1) === -1 ? at + EXCERPT_BEFORE : undefined
}

/** Undefined if something is wrong with it: only the parser of the whole knows where. */
export async function parseParts(
  text: string,
  report: ReportReading = () => {},
  partCharacters = PART_CHARACTERS,
): Promise<object | undefined> {
  // Not an object, which has a `constructor` already.
  const fields = new Map<string, unknown>()
  let pausedAt = 0
  const parts = splitJson(text, partCharacters)
  try {
    for (let part = parts.next(); ; part = parts.next()) {
      if (part.done) {
        // What follows the last part is no part.
        if (part.value) report(text.length, text.length)
        return part.value ? Object.fromEntries(fields) : undefined
      }
      const { name, text: partText, end } = part.value
      const read = parseStrictJson(partText) as Record<string, unknown>
      fields.set(name, addItems(fields.get(name), read[name]))
      // A text may have many small fields.
      if (end - pausedAt < partCharacters) continue
      pausedAt = end
      report(end, text.length)
      await pause()
    }
  } catch (error) {
    if (error instanceof ApiError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Counts lines from the last place on: most mistakes are found in the order of the text. */
function createPositionAt(text: string): (offset: number) => Position {
  let line = 1
  let lineStart = 0
  return (offset) => {
    if (offset < lineStart) {
      line = 1
      lineStart = 0
    }
    for (let end = text.indexOf('\n', lineStart); end !== -1 && end < offset; end = text.indexOf('\n', lineStart)) {
      line++
      lineStart = end + 1
    }
    return { line, column: offset - lineStart + 1 }
  }
}
