import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

export interface SourceFile {
  /** From `src/`, with slashes on every system. */
  path: string
  text: string
}

/** What is shipped: every TypeScript file of `src/` but the unit tests beside them. */
export function sourceFiles(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ path: name.replaceAll(sep, '/'), text: readFileSync(join(SRC, name), 'utf8') }))
}

/** The code without its comments, which may name what the code must not use. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}
