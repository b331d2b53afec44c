import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'
import { createPostgresDatabase } from '../support/databases.ts'

const db = queryBuilder<{ entries: { value: number } }>()
const insert = prepare((row: { value: number }) => db.insertInto('entries').values({ ...row }))
const parse = prepare((params: { text: string }) => db.selectNoFrom([sql`${params.text}::int`.as('number')]))
const echo = prepare((params: { text: string }) => db.selectNoFrom([sql`${params.text}::text`.as('text')]))

// A message is a letter, four bytes with the length of the rest, and the rest.
const PARSE = 'P'.charCodeAt(0)
const BACKEND_KEY = Buffer.from([...Buffer.from('K'), 0, 0, 0, 12])

let url: string
let admin: pg.Client

beforeAll(async () => {
  url = await createPostgresDatabase('nothing')
  admin = new pg.Client(url)
  await admin.connect()
  await admin.query('create table entries (value int)')
})
afterAll(() => admin.end())

interface Pooled {
  /** Returns false to end the connection instead of passing the bytes on. */
  onRequest?(bytes: Buffer, fail: (code: string) => void): void
  onResponse?(fail: (code: string) => void): void
}

/** Passes everything on, like a pooler with a process id of its own. */
async function openThroughPooler({ onRequest, onResponse }: Pooled): Promise<PostgresDatabase> {
  const { hostname, port } = new URL(url)
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname)
    const fail = (code: string) => void client.end(fatalError(code))
    closeTogether(client, server)
    client.on('data', (bytes) => {
      onRequest?.(bytes, fail)
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      onResponse?.(fail)
      const key = bytes.indexOf(BACKEND_KEY)
      if (key !== -1) bytes.writeInt32BE(bytes.readInt32BE(key + 5) + 1, key + 5)
      if (client.writable) client.write(bytes)
    })
  })
  onTestFinished(() => void listener.close())
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String((listener.address() as AddressInfo).port)
  const database = new PostgresDatabase({ url: address.href, poolSize: 1 })
  onTestFinished(() => database.close())
  return database
}

function closeTogether(...sockets: Socket[]): void {
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.on('close', () => {
      for (const other of sockets) other.destroy()
    })
  }
}

function fatalError(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mthe pooler gives up\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

describe('behind a pooler', () => {
  test.each(['57P01', '25P03', '08P01'])(
    'a transaction that may have been committed before the pooler failed with %s is not repeated',
    async (code) => {
      let isCommitting = false
      let failures = 1
      const database = await openThroughPooler({
        onRequest: (bytes) => {
          isCommitting = bytes.includes('commit')
        },
        onResponse: (fail) => {
          if (isCommitting && failures-- > 0) fail(code)
        },
      })
      const value = Number.parseInt(code, 36)
      const work = database.transact(async (tx) => {
        await tx.all(db.selectFrom('entries').selectAll())
        await tx.runEach(insert, [{ value }])
      })
      await expect(work).rejects.toThrow('PostgreSQL')
      expect((await admin.query('select from entries where value = $1', [value])).rowCount).toBe(1)
    },
  )

  test('that remembers the names of statements which were not prepared, they are sent without a name', async () => {
    const names = new Set<string>()
    const database = await openThroughPooler({
      onRequest(bytes, fail) {
        // The first message has no letter.
        for (let at = bytes[0] === 0 ? bytes.length : 0; at < bytes.length; at += bytes.readInt32BE(at + 1) + 1) {
          const name = bytes.toString('latin1', at + 5, bytes.indexOf(0, at + 5))
          if (bytes[at] !== PARSE || name === '') continue
          if (names.has(name)) fail('08P01')
          names.add(name)
        }
      },
    })
    const failing = database.transact((tx) =>
      Promise.all([tx.all(parse, { text: 'none' }), tx.all(echo, { text: 'skipped' })]),
    )
    await expect(failing).rejects.toThrow('invalid input syntax')
    expect(await database.read((reader) => reader.all(echo, { text: 'sent' }))).toEqual([{ text: 'sent' }])
    expect(names.size).toBeGreaterThan(0)
  })
})
