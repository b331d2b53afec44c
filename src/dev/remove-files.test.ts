import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { SequentialIds } from '../platform/ids/sequential-ids.ts'
import { removeDocuments } from './remove-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'souk-remove-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(...names: string[]) {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), 'text')
  }
}

describe('removing the documents of a folder', () => {
  test.each([new RandomIds(), new SequentialIds()])('removes every file that Souk writes there', (ids) => {
    write(
      `reports/${ids.next('reportDocument')}`,
      `feeds/${ids.next('feedDocument')}`,
      `.incoming/${ids.next('upload')}`,
    )
    removeDocuments(folder)
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps all other files', () => {
    const others = [
      'notes.txt',
      'reports/2026.pdf',
      'feeds/amzn1.txt',
      'src/reports/amzn1.spdoc.1.4.x',
      '.incoming/mine',
    ]
    write(...others, `reports/${new RandomIds().next('reportDocument')}`)
    removeDocuments(folder)
    expect(others.filter((name) => !existsSync(join(folder, name)))).toEqual([])
    expect(readdirSync(join(folder, 'reports'))).toEqual(['2026.pdf'])
  })

  test('does nothing if the folder is missing or is a file', () => {
    write('reports')
    removeDocuments(folder)
    removeDocuments(join(folder, 'missing'))
    expect(readdirSync(folder)).toEqual(['reports'])
  })
})
