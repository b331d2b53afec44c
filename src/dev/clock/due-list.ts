import { LATEST_TIME } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Due, DueSource } from '../../platform/due.ts'

export interface DueRequest {
  after: Date
  limit: number
  /** Whether access tokens stay valid. They do not expire then. */
  keepTokens?: boolean
}

/** What is due after a time, earliest first. */
export type ListDue = (request: DueRequest) => Promise<Due[]>

/** Asks each source once. Of those at the same time, the sources that come first are listed first. */
export const createDueList =
  (database: Database, sources: readonly DueSource[]): ListDue =>
  async ({ after, limit, keepTokens = false }) => {
    const asked = keepTokens ? sources.filter(({ areTokens }) => !areTokens) : sources
    const found = await database.read((reader) => Promise.all(asked.map((source) => source.find(reader, after, limit))))
    return found
      .flat()
      .filter(({ time }) => time <= LATEST_TIME)
      .sort((one, other) => one.time.getTime() - other.time.getTime())
      .slice(0, limit)
  }
