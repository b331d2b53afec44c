import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { incidents } from '../../src/dev/faults/incidents/incidents.ts'

const FOLDER = 'docs/incidents'
const THREAD = /https:\/\/github\.com\/amzn\/selling-partner-api-(models|docs)\/issues\/\d+/

test('every incident has a page, and every page an incident', () => {
  const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md')
  expect(pages.sort()).toEqual(
    Object.keys(incidents)
      .map((name) => `${name}.md`)
      .sort(),
  )
})

test('the list of incidents has each of them with its summary', () => {
  const rows = readFileSync(`${FOLDER}/README.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| [`'))
  expect(rows).toEqual(
    Object.entries(incidents).map(([name, { summary }]) => `| [\`${name}\`](${name}.md) | ${summary} |`),
  )
})

test.each(Object.keys(incidents))('the page of %s says what happened, where, and what a robust client does', (name) => {
  const text = readFileSync(`${FOLDER}/${name}.md`, 'utf8')
  expect(text).toContain(`\`${name}\``)
  expect(text).toContain(`/_souk/incidents/${name}`)
  for (const heading of ['What happened', 'What a robust client does', 'In Souk'])
    expect(text).toContain(`\n## ${heading}\n`)
  expect(THREAD.test(text) || text.includes('no public thread')).toBe(true)
})
