import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { Input } from './input.ts'
import type { Polls } from './polls.ts'

export interface QueueDependencies {
  database: Database
  clock: Clock
  ids: Ids
  polls: Polls
}

/** What an operation needs to know of its request besides the input. */
export interface RequestContext {
  /** The region that the request was signed for. */
  region: string
  /** The start of the URLs of queues in the response, such as `http://127.0.0.1:4701`. */
  origin: string
  /** The name in the path, if the request was sent to the URL of a queue. */
  queueOfPath: string | undefined
  /** Aborts when the client is gone. */
  gone: AbortSignal
}

export type Operation = (input: Input, context: RequestContext) => Promise<object>

export type Operations = Readonly<Record<string, Operation>>
