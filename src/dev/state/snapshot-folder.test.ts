import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SqliteDatabase } from '../../platform/database/sqlite-database.ts'
import { UnavailableError } from '../../platform/errors/unavailable-error.ts'
import { SnapshotFolder } from './snapshot-folder.ts'

let folder: string
let image: Uint8Array
let snapshots: SnapshotFolder

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'souk-snapshots-'))
  snapshots = new SnapshotFolder(folder, { isDurable: true })
  const database = new SqliteDatabase(':memory:')
  await database.transactSchema((tx) => tx.execute('create table notes (text text not null)'))
  image = await database.image()
  await database.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

async function save(name: string, version = '1') {
  const state = { schema: 'a', version, time: '2026-06-01T12:00:00.000Z', frozen: false, quotas: [] }
  const none = join(folder, '.none')
  await snapshots.save(name, state, image, { documentsFolder: none, eventBusFile: none })
}
const list = () => snapshots.list().map(({ name, state }) => `${name} ${state.version}`)

describe('a snapshot that cannot be read', () => {
  const spoil: Record<string, (path: string) => unknown> = {
    'is a file': (path) => writeFileSync(path, 'mine'),
    'is an empty folder': (path) => mkdirSync(path),
    'has an empty state': async (path) => {
      await save('broken')
      truncateSync(join(path, 'state.json'))
    },
    'has a database that was cut': async (path) => {
      await save('broken')
      truncateSync(join(path, 'souk.db'), image.length - 1)
    },
    'has an empty database': async (path) => {
      await save('broken')
      truncateSync(join(path, 'souk.db'))
    },
    'has no database': async (path) => {
      await save('broken')
      rmSync(join(path, 'souk.db'))
    },
    'has a state without a time': async (path) => {
      await save('broken')
      writeFileSync(join(path, 'state.json'), '{"schema":"a","version":"1","frozen":false,"quotas":[]}')
    },
  }

  test.each(Object.keys(spoil))('because it %s can be replaced and deleted, and others can be listed', async (how) => {
    await save('good')
    const breakIt = () => spoil[how]?.(join(folder, 'broken'))
    await breakIt()
    expect(list()).toEqual(['good 1'])
    expect(() => snapshots.open('broken').readImage()).toThrow('The snapshot broken is damaged.')
    await save('broken', '2')
    expect(list()).toEqual(['broken 2', 'good 1'])
    await snapshots.delete('broken')
    await breakIt()
    await snapshots.delete('broken')
    await snapshots.finished()
    expect(list()).toEqual(['good 1'])
    expect(readdirSync(folder)).toEqual(['good'])
  })

  test.each([0, 100, 4096])('because only %i bytes of its image are left is damaged', async (bytes) => {
    await save('a')
    expect(snapshots.open('a').readImage()).toHaveLength(image.length)
    truncateSync(join(folder, 'a', 'souk.db'), bytes)
    expect(() => snapshots.open('a').readImage()).toThrow('The snapshot a is damaged.')
  })
})

test('an image is checked again only if its file has changed', async () => {
  await save('a')
  const path = join(folder, 'a', 'souk.db')
  const changedAt = new Date('2026-06-01T12:00:00.000Z')
  utimesSync(path, changedAt, changedAt)
  snapshots.open('a').readImage()
  writeFileSync(path, Buffer.alloc(image.length))
  utimesSync(path, changedAt, changedAt)
  // A check would refuse it.
  expect(snapshots.open('a').readImage()).toHaveLength(image.length)
  writeFileSync(path, Buffer.alloc(image.length))
  expect(() => snapshots.open('a').readImage()).toThrow('The snapshot a is damaged.')
})

describe('a snapshot that is replaced', () => {
  test('is listed until the new one is complete', async () => {
    await save('a')
    const saved = save('a', '2')
    expect(list()).toEqual(['a 1'])
    await saved
    expect(list()).toEqual(['a 2'])
    await save('a', '3')
    expect(list()).toEqual(['a 3'])
    await snapshots.finished()
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('is still there after a crash before the new one has its name', async () => {
    await save('a')
    renameSync(join(folder, 'a'), join(folder, '.replaced.a'))
    expect(list()).toEqual(['a 1'])
    expect(snapshots.open('a').state.version).toBe('1')
  })

  test('is gone after a crash while it is deleted', async () => {
    await save('a')
    cpSync(join(folder, 'a'), join(folder, '.replaced.a'), { recursive: true })
    rmSync(join(folder, '.replaced.a', 'state.json'))
    expect(list()).toEqual(['a 1'])
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('is kept if the new one cannot be written', async () => {
    await save('a')
    const state = { schema: 'a', version: '2', time: '', frozen: false, quotas: [] }
    // A folder cannot be copied as a file.
    const files = { documentsFolder: join(folder, '.none'), eventBusFile: folder }
    await expect(snapshots.save('a', state, image, files)).rejects.toThrow(UnavailableError)
    expect(list()).toEqual(['a 1'])
    expect(readdirSync(folder)).toEqual(['a'])
  })
})
