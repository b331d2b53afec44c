import { expect, test } from 'vitest'
import { reportTypes } from '../../src/areas/reports/types/index.ts'
import { documentedRows } from './documented-rows.ts'

test('docs/reports.md has a row for every report type, with its format and default start', () => {
  const documented = documentedRows('reports.md')
    .filter(([name = '']) => name.includes('_') && name.startsWith('GET_'))
    .map(([name, format, start]) => `${name}: ${format}, ${start}`)
  const existing = [...reportTypes.values()].map(({ name, contentType, defaultDays }) => {
    const start = defaultDays === undefined ? 'current state' : `${defaultDays} days ago`
    return `${name}: ${formats[contentType.split(';')[0] as keyof typeof formats]}, ${start}`
  })
  expect(documented).toEqual(existing)
})

const formats = { 'text/xml': 'XML', 'text/plain': 'TSV', 'application/json': 'JSON' }
