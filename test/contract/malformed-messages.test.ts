import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/platform/database/port.ts'
import { PostgresDatabase } from '../../src/platform/database/postgres-database.ts'
import { prepare, queryBuilder } from '../../src/platform/database/query.ts'

const one = prepare((_: object) => queryBuilder<object>().selectNoFrom((eb) => eb.lit(1).as('one')))

// A message is a letter, four bytes with the length of the rest, and the rest.
const AUTHENTICATED = Buffer.from('520000000800000000', 'hex')
const READY = Buffer.from('5a0000000549', 'hex')
const UNKNOWN_AUTHENTICATION = Buffer.from('520000000800000007', 'hex')
const ROW_WITHOUT_ITS_COLUMNS = Buffer.from('4400000006ffff', 'hex')

test.each([
  ['while connecting', [UNKNOWN_AUTHENTICATION]],
  ['in a response', [Buffer.concat([AUTHENTICATED, READY]), ROW_WITHOUT_ITS_COLUMNS]],
])(
  'a message of PostgreSQL that the driver does not understand is an outage %s, and ends no process',
  async (_when, messages) => {
    const server = createServer((socket) => {
      const left = [...messages]
      socket.on('data', () => void socket.write(left.shift() ?? ''))
      socket.on('error', () => {})
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const database = new PostgresDatabase({ url: `postgres://souk@127.0.0.1:${port}/souk`, poolSize: 1 })
    onTestFinished(async () => {
      await database.close()
      server.close()
    })
    await expect(database.read((reader) => reader.all(one, {}))).rejects.toThrow(DatabaseUnavailableError)
  },
)
