// Fault rules as `startSouk` has them. Users compile these types, so they refer to no dependency.
import type { SubjectMatch } from '../subjects.ts'

/**
 * What a rule is about. All that is given must match; without anything, the rule matches every call that its action
 * fits.
 */
export interface FaultMatch extends SubjectMatch {
  /** Operations of the API, or `processReport`, `processFeed` and `sendNotification` for background work. */
  operations?: string | readonly string[]
  sellerId?: string
  applicationId?: string
  /** For `createToken`, where the application is not known yet. */
  clientId?: string
  /** For `sendNotification`: the ARN of the queue. */
  queueArn?: string
  /** `true`: only requests for a page of a list that is not the first; `false`: only others. */
  nextPage?: boolean
}

/** `before`: nothing happens. `after`: the operation has its effect, and only the response is lost. */
export type FaultMoment = 'before' | 'after'

export type FaultAction =
  /** Responds with a status, in the error format of the operation. */
  | { kind: 'status'; status: number; when?: FaultMoment; code?: string; message?: string; details?: string }
  /** Waits in real time, 60 seconds at most. */
  | { kind: 'latency'; milliseconds: number }
  | { kind: 'latency'; minMilliseconds: number; maxMilliseconds: number }
  /** Closes the connection without a response. */
  | { kind: 'drop'; when?: FaultMoment }
  /** Closes the connection after a part of the body. Default: half of it. */
  | { kind: 'truncate'; bytes?: number }
  /** Responds with 429 although the quota is not used up. */
  | { kind: 'throttle'; rateLimitHeader?: boolean }
  /** The access token of the request expires now. */
  | { kind: 'expireToken' }
  /** Responds with success and does nothing. */
  | { kind: 'ignore' }
  /** The link of a document has expired. */
  | { kind: 'expiredLink' }
  /** S3's 503 SlowDown. */
  | { kind: 'slowDown' }
  /** The document is plain although GZIP was announced. */
  | { kind: 'notCompressed' }
  /** The report or feed stays in this state until the rule is removed or its time is over. */
  | { kind: 'stuck'; state?: 'IN_QUEUE' | 'IN_PROGRESS' }
  /** The report or feed ends in FATAL. */
  | { kind: 'fatal' }
  /** The report or feed ends in CANCELLED, without data. */
  | { kind: 'cancel' }
  /** The notification is sent again, with the same id. Default: 1 copy. */
  | { kind: 'duplicate'; copies?: number }
  /** The first of each two notifications is sent this much later, so the second overtakes it. Default: 60. */
  | { kind: 'reorder'; seconds?: number }
  /** The notification is sent this much later. */
  | { kind: 'delay'; seconds: number }
  /** The notification is never sent. */
  | { kind: 'lose' }
  /** The queue refuses the notification, which is sent again later. Default: AccessDenied. */
  | { kind: 'refuse'; reason?: 'AccessDenied' | 'NonExistentQueue' }

export interface FaultSettings {
  /** A text of your own, to find the rule again. */
  name?: string
  match?: FaultMatch
  action: FaultAction
  /** How many of the matching calls are hit, from 0 to 100. The same seed hits the same calls. */
  percentage?: number
  /** Default: 1. */
  seed?: number
  /** Hit only this matching call, counted from 1. */
  nth?: number
  /** Hit at most this many calls. */
  count?: number
  /** From this time of the clock on. */
  from?: string
  /** Up to this time of the clock. */
  until?: string
  /** For this much time of the clock from now on. */
  forSeconds?: number
  /** Default: true. */
  enabled?: boolean
}

export interface FaultRule extends Omit<FaultSettings, 'forSeconds'> {
  id: string
  /** The name of the incident that the rule belongs to. */
  incident?: string
  enabled: boolean
  createdAt: string
  /** How many calls matched while the rule was enabled. */
  calls: number
  /** How many calls the rule has hit. */
  hits: number
}

export interface Faults {
  /** Adds a rule. One that is not possible rejects with an `ActError`. */
  add(settings: FaultSettings): Promise<FaultRule>
  list(): Promise<FaultRule[]>
  get(id: string): Promise<FaultRule>
  enable(id: string): Promise<FaultRule>
  disable(id: string): Promise<FaultRule>
  remove(id: string): Promise<void>
  /** Removes all rules. */
  clear(): Promise<void>
}

export interface IncidentSettings {
  /** Narrows the rules of the incident, to one seller for example. */
  match?: FaultMatch
  /** For this much time of the clock. */
  forSeconds?: number
}

export interface Incident {
  name: string
  summary: string
  /** The path of its page: what happened, and what a robust client does. */
  page: string
  /** Whether it can be narrowed to a seller. A link to a document has none. */
  hasSeller: boolean
  /** Whether it can still change a call, or keeps work from going on. */
  active: boolean
  /** Its rules, until it is stopped. */
  faults: FaultRule[]
}

export interface Incidents {
  list(): Promise<Incident[]>
  /** Adds the rules of an incident. One that is active starts again. */
  start(name: string, settings?: IncidentSettings): Promise<Incident>
  stop(name: string): Promise<void>
  stopAll(): Promise<void>
}
