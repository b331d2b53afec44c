import type { ParseOptions, Rows } from './rows.ts'
import { createPauses } from './slices.ts'

const LINES_PER_STEP = 200

/** Parses tab-separated values with a header line. The format has no quoting. */
export async function parseTsv(text: string, { signal, onProgress }: ParseOptions = {}): Promise<Rows> {
  const pause = createPauses(signal)
  const rows: string[][] = []
  let columns: string[] | undefined
  let position = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let count = 1; position < text.length; count++) {
    const end = text.indexOf('\n', position)
    const next = end === -1 ? text.length : end
    const line = text.slice(position, text[next - 1] === '\r' ? next - 1 : next)
    position = next + 1
    if (!columns) columns = line.split('\t')
    else if (line !== '') rows.push(line.split('\t'))
    if (count % LINES_PER_STEP !== 0) continue
    const pausing = pause()
    if (!pausing) continue
    onProgress?.(position / text.length)
    await pausing
  }
  return { columns: columns ?? [], rows }
}
