import { parseJsonBody } from '../../http/json-body.ts'
import { ApiError, toViolation } from '../../platform/errors/api-error.ts'
import { JsonScan } from './json-scan.ts'
import { type Position, SeedError, type SeedProblem } from './problems.ts'
import { parsePath, type SeedText } from './seed-text.ts'

/** Undefined if it is not JSON: it may be YAML with braces, and if not, the parser of YAML knows the place. */
export function parseJsonText(bytes: Uint8Array, text: string): SeedText | undefined {
  const scan = new JsonScan(text)
  const positionAt = createPositionAt(text)
  const locate = (path: string) => positionAt(scan.find(parsePath(path)))
  try {
    return { value: parseJsonBody(bytes), locate }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.cause !== undefined) return undefined
    throw new SeedError([explain(error)])
  }

  function explain(error: ApiError): SeedProblem {
    const { path, reason } = toViolation(error)
    if (path) return { path, reason, ...locate(path) }
    return { path: '', reason: `is not valid: ${reason}`, ...positionAt(scan.findRefused() ?? 0) }
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
