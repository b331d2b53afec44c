import { startPostgres } from '../../test/support/postgres-server.ts'
import { logProgress } from './progress.ts'
import { type SeededRows, seedPostgres } from './seed-postgres.ts'

/** A server of PostgreSQL for one bench, with a marketplace in its database `bench`. */
export async function startSeededServer(rows: SeededRows) {
  const server = await startServer()
  try {
    const databaseUrl = `${server.url}/bench`
    logProgress(`Storing ${rows.listings} listings and ${rows.products} products`)
    await server.createDatabase('bench')
    await seedPostgres(databaseUrl, rows)
    return { ...server, databaseUrl }
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

async function startServer() {
  const server = await startPostgres()
  // An interrupted bench must not leave the server behind.
  const end = () => void server.crash()
  process.once('exit', end)
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      process.off('exit', end)
      await server.stop()
    },
  }
}
