import { readFileSync } from 'node:fs'

/** The tables of a page of `docs/`: for each row, its cells, with the first one free of its backticks. */
export function documentedRows(page: string): string[][] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => [
    name,
    ...rest.split('|').map((cell) => cell.trim()),
  ])
}
