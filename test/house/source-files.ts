import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

export interface SourceFile {
  /** From `src/`, with slashes on every system. */
  path: string
  text: string
}

/** The shipped code: every TypeScript file of `src/` except unit tests. */
export function sourceFiles(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ path: name.replaceAll(sep, '/'), text: readFileSync(join(SRC, name), 'utf8') }))
}

/** The code without its comments, which may name what the code must not use. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

export interface Import {
  from: string
  /** A path from `src/`, or the name of a package. */
  to: string
  typeOnly: boolean
}

export function importsOf({ path, text }: SourceFile): Import[] {
  const statement = /\b(?:(?:import|export)\s+([\w\s{},*]*?)\s*from\s*|import\s*\(?\s*)'([^']+)'/g
  return [...withoutComments(text).matchAll(statement)].map(([, names = '', target = '']) => ({
    from: path,
    to: target.startsWith('.') ? posix.join(posix.dirname(path), target) : target,
    typeOnly: /^type\b/.test(names) || /^\{(\s*type\s[^,}]+,?)+\s*\}$/.test(names),
  }))
}
