// Snapshots and forks as `startSouk` has them. Users compile these types, so they refer to no dependency.
import type { Demo } from '../demo/demo.ts'
import type { SeedCredentials } from '../seed/public.ts'

export interface RestoreOptions {
  /** Whether access tokens stay valid, for clients that keep theirs until it expires. Default: false. */
  keepTokens?: boolean
}

export interface ResetOptions extends RestoreOptions {
  /** The time of the clock. Default: that of the system. */
  time?: Date
}

export interface SnapshotSummary {
  name: string
  /** The time of the clock. */
  time: string
  /** The version of Souk that took it. */
  version: string
}

export interface Fork {
  id: string
  url: string
  queueUrl: string
  /** Absent if they are not valid in the content of the fork, such as a seed file. */
  demo?: Demo
  /** Of the current content, with the credentials that are known. */
  applications: SeedCredentials[]
  /** Of its operator API. */
  operatorKey: string
}

export interface Snapshots {
  list(): Promise<SnapshotSummary[]>
  /** Rejects with an `ActError` if there is none of that name. */
  delete(name: string): Promise<void>
}

export interface RunningForks {
  list(): Promise<Fork[]>
  /** The same as `stop()` of the fork. Rejects with an `ActError` if none with this id is running. */
  stop(id: string): Promise<void>
}
