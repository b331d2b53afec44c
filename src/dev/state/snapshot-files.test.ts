import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../platform/errors/unavailable-error.ts'
import { type SnapshotFiles, stageFiles } from './snapshot-files.ts'

let root: string
let current: SnapshotFiles
let snapshot: SnapshotFiles

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'souk-files-'))
  current = createFiles('current', { 'reportDocument-1': 'current', 'reportDocument-2': 'current' })
  snapshot = createFiles('snapshot', { 'reportDocument-2': 'snapshot', 'reportDocument-3': 'snapshot' })
})
afterEach(() => rmSync(root, { recursive: true }))

function createFiles(name: string, documents: Record<string, string>): SnapshotFiles {
  const documentsFolder = join(root, name)
  const eventBusFile = join(documentsFolder, 'event-bus.jsonl')
  mkdirSync(join(documentsFolder, 'reports'), { recursive: true })
  for (const [id, text] of Object.entries(documents)) writeFileSync(join(documentsFolder, 'reports', id), text)
  writeFileSync(eventBusFile, name)
  return { documentsFolder, eventBusFile }
}

const documents = () => {
  const folder = join(current.documentsFolder, 'reports')
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
const events = () => readFileSync(current.eventBusFile, 'utf8')
const atStart = { 'reportDocument-1': 'current', 'reportDocument-2': 'current' }

describe('staged files', () => {
  test('leave the current ones until they are used, and then replace them', () => {
    writeFileSync(join(current.documentsFolder, 'notes.txt'), 'mine')
    const staged = stageFiles(snapshot, current)
    expect(documents()).toEqual({ ...atStart, 'reportDocument-3': 'snapshot' })
    expect(events()).toBe('current')
    staged.use()
    expect(documents()).toEqual({ 'reportDocument-2': 'snapshot', 'reportDocument-3': 'snapshot' })
    expect(events()).toBe('snapshot')
    expect(readdirSync(current.documentsFolder).sort()).toEqual(['event-bus.jsonl', 'notes.txt', 'reports'])
  })

  test('remove the events if the snapshot has none', () => {
    rmSync(snapshot.eventBusFile)
    stageFiles(snapshot, current).use()
    expect(existsSync(current.eventBusFile)).toBe(false)
  })

  test('can be discarded without a trace', () => {
    stageFiles(snapshot, current).discard()
    expect(documents()).toEqual(atStart)
    expect(events()).toBe('current')
    expect(readdirSync(current.documentsFolder).sort()).toEqual(['event-bus.jsonl', 'reports'])
  })

  test('that cannot all be copied change nothing', () => {
    rmSync(snapshot.eventBusFile)
    mkdirSync(snapshot.eventBusFile)
    expect(() => stageFiles(snapshot, current)).toThrow(UnavailableError)
    expect(documents()).toEqual(atStart)
    expect(events()).toBe('current')
  })
})
