import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import { runSouk, startDev, temporaryFolder } from '../support/souk-process.ts'
import { solicit } from './demo-requests.ts'

const [order, otherOrder] = demo.orders.eligible as [string, string]
const DAY_SECONDS = 24 * 60 * 60

async function readClock(url: string): Promise<{ now: string; offsetSeconds: number }> {
  return (await fetch(`${url}/_souk/clock`)).json() as Promise<{ now: string; offsetSeconds: number }>
}

async function advanceClock(url: string, advanceSeconds: number): Promise<void> {
  const response = await fetch(`${url}/_souk/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds }),
  })
  expect(response.status).toBe(200)
}

describe('the data folder of souk dev', () => {
  test.each(['SIGTERM', 'SIGKILL'] as const)('keeps acknowledged data after %s', async (signal) => {
    const folder = temporaryFolder()
    const before = await startDev(folder)
    expect(await solicit(before.url, order)).toBe(201)
    await before.souk.stop(signal)

    const after = await startDev(folder)
    expect(await solicit(after.url, order)).toBe(403)
    expect(await solicit(after.url, otherOrder)).toBe(201)
  })

  test('keeps the offset of the clock', async () => {
    const folder = temporaryFolder()
    const before = await startDev(folder)
    await advanceClock(before.url, DAY_SECONDS)
    await advanceClock(before.url, DAY_SECONDS)
    const { now } = await readClock(before.url)
    await before.souk.stop()

    const after = await startDev(folder)
    const clock = await readClock(after.url)
    expect(clock.offsetSeconds).toBe(2 * DAY_SECONDS)
    expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(now))
  })

  test('starts over with --fresh, and keeps files that are not its own', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    const before = await startDev(folder)
    expect(await solicit(before.url, order)).toBe(201)
    await advanceClock(before.url, DAY_SECONDS)
    await before.souk.stop('SIGKILL')

    const after = await startDev(folder, '--fresh')
    expect(await readClock(after.url)).toMatchObject({ offsetSeconds: 0 })
    expect(await solicit(after.url, order)).toBe(201)
    expect(readdirSync(folder)).toContain('notes.txt')
  })

  test('is used by one process at a time: the second names the first, and deletes nothing', async () => {
    const folder = temporaryFolder()
    const first = await startDev(folder)
    expect(await solicit(first.url, order)).toBe(201)
    for (const more of [[], ['--fresh']]) {
      const { code, stderr } = await runSouk(['dev', '--port', '0', '--data', folder, ...more])
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^souk: Another souk process is using the data folder \S+ \(process \d+ since \S+Z, at http:\S+\): stop it first, or choose another folder with --data\.\n$/,
      )
      expect(stderr).toContain(`at ${first.url})`)
    }
    // The first process keeps its data, and no cleanup is needed after it.
    expect(await solicit(first.url, otherOrder)).toBe(201)
    await first.souk.stop('SIGKILL')
    const next = await startDev(folder)
    expect(await solicit(next.url, order)).toBe(403)
    expect(await solicit(next.url, otherOrder)).toBe(403)
  })
})

describe('unusable data is reported in one sentence with the fix:', () => {
  let sound: string
  beforeAll(async () => {
    sound = temporaryFolder()
    await (await startDev(sound)).souk.stop()
  })

  /** The output of souk dev for a copy of valid data after a change to the file. */
  async function failureAfter(spoil: (file: string, bytes: Buffer) => void) {
    const folder = temporaryFolder()
    const file = join(folder, 'souk.db')
    spoil(file, readFileSync(join(sound, 'souk.db')))
    const { code, stderr } = await runSouk(['dev', '--port', '0', '--data', folder])
    expect(code).toBe(1)
    return { folder, stderr }
  }
  const START_OVER = 'start over with --fresh, or choose another folder with --data.'

  test.each<[what: string, spoil: (bytes: Buffer) => Buffer, reason: string]>([
    ['cut off in its header', (bytes) => bytes.subarray(0, 50), 'is damaged (SQLITE_CORRUPT)'],
    ['cut off after its first page', (bytes) => bytes.subarray(0, 4096), 'is damaged (SQLITE_CORRUPT)'],
    ['truncated', (bytes) => bytes.subarray(0, bytes.length / 2), 'is damaged (SQLITE_CORRUPT)'],
    ['other data', () => Buffer.alloc(10_000, 'no database '), 'is not a Souk database (SQLITE_NOTADB)'],
    ['overwritten in the middle', (bytes) => bytes.fill(0xa5, 40_960, 49_152), 'is damaged (SQLITE_CORRUPT)'],
  ])('a database that is %s', async (_what, spoil, reason) => {
    const { folder, stderr } = await failureAfter((file, bytes) => writeFileSync(file, spoil(bytes)))
    expect(stderr).toBe(`souk: The database ${join(folder, 'souk.db')} ${reason}: ${START_OVER}\n`)
  })

  test('a large truncated database', async () => {
    const { stderr } = await failureAfter((file, bytes) => {
      writeFileSync(file, bytes)
      const sqlite = new Sqlite(file)
      sqlite.exec('create table padding (bytes blob); insert into padding values (zeroblob(8 * 1024 * 1024))')
      sqlite.close()
      truncateSync(file, 5 * 1024 * 1024)
    })
    expect(stderr).toContain(`is damaged (SQLITE_CORRUPT): ${START_OVER}`)
  })

  test('a damaged database, which --fresh replaces', async () => {
    const { folder } = await failureAfter((file, bytes) => writeFileSync(file, bytes.subarray(0, 4096)))
    const { souk } = await startDev(folder, '--fresh')
    await souk.stop()
  })

  test('a database that is a folder', async () => {
    const { stderr } = await failureAfter((file) => mkdirSync(file))
    expect(stderr).toMatch(
      /^souk: The database \S+ cannot be opened \(SQLITE_CANTOPEN\): choose another folder with --data\.\n$/,
    )
  })

  test('a folder that is a file', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    const { code, stderr } = await runSouk(['dev', '--port', '0', '--data', file])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^souk: The data folder \S+ is not writable \(EEXIST\): choose another with --data\.\n$/)
  })

  test.skipIf(process.platform !== 'linux')('a folder in which nothing can be created', async () => {
    const { code, stderr } = await runSouk(['dev', '--port', '0', '--data', '/proc/souk/data'])
    expect(code).toBe(1)
    expect(stderr).toBe('souk: The data folder /proc/souk/data is not writable (ENOENT): choose another with --data.\n')
  })

  test.each<[what: string, make: (path: string) => void]>([
    ['other data', (path) => writeFileSync(path, 'no lock '.repeat(1000))],
    ['a folder', (path) => mkdirSync(path)],
  ])('a lock file that is %s', async (_what, make) => {
    const folder = temporaryFolder()
    const path = join(folder, 'souk.db.lock')
    make(path)
    const { code, stderr } = await runSouk(['dev', '--port', '0', '--data', folder, '--fresh'])
    expect(code).toBe(1)
    expect(stderr).toBe(
      `souk: The lock file ${path} is not usable. Delete it while no souk process is using this data.\n`,
    )
    rmSync(path, { recursive: true })
    await (await startDev(folder)).souk.stop()
  })

  test.each(['9e99', '300000000000000', '-', 'soon'])('a clock that was moved by %s milliseconds', async (offset) => {
    const { stderr } = await failureAfter((file, bytes) => {
      writeFileSync(file, bytes)
      const sqlite = new Sqlite(file)
      sqlite.prepare("insert into settings values ('clockOffsetMilliseconds', ?)").run(offset)
      sqlite.close()
    })
    expect(stderr).toBe(
      `souk: The stored clock offset is ${offset} milliseconds, which is not a valid offset: ${START_OVER}\n`,
    )
  })
})
