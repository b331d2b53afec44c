import Sqlite from 'better-sqlite3'

export interface BaselineData {
  sqlite: Sqlite.Database
  sellerId: string
  marketplaceId: string
}

/**
 * For a child process with a data file, a seller and a marketplace: receives keys, applies a change to each with a
 * separate commit, on SQLite alone and with the settings of the service, and sends the number per second.
 */
export function serveTransactions(prepareChange: (data: BaselineData) => (key: string) => void): void {
  const [file, sellerId, marketplaceId] = process.argv.slice(2) as [string, string, string]
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = wal')
  sqlite.pragma('synchronous = full')
  sqlite.pragma('foreign_keys = on')
  const begin = sqlite.prepare('begin immediate')
  const commit = sqlite.prepare('commit')
  const change = prepareChange({ sqlite, sellerId, marketplaceId })

  process.once('disconnect', () => process.exit())
  process.on('message', (keys: string[]) => {
    const startedAt = performance.now()
    for (const key of keys) {
      begin.run()
      change(key)
      commit.run()
    }
    process.send?.((keys.length / (performance.now() - startedAt)) * 1000)
  })
}
