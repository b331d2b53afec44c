import { startPostgres } from '../../test/support/postgres-server.ts'

/** A server of PostgreSQL for one bench. */
export async function startServer() {
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
