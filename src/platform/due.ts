import type { Reader } from './database/port.ts'

/** Something that happens by itself once the clock reaches its time. */
export interface Due {
  /** What happens: `accessTokenExpiry`, or the kind of a job. */
  kind: string
  time: Date
  id: string
  description: string
}

/** Finds what is due later. The stand-in moves its clock there. */
export interface DueSource {
  /** Whether these are access tokens, which a move of the clock can keep valid. */
  areTokens?: boolean
  /** Returns the earliest ones after a time, in a fixed order, from an index that begins with their time. */
  find(reader: Reader, after: Date, limit: number): Promise<Due[]>
}
