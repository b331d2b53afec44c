// Expectations as `startSouk` takes them. Users compile these types, so they refer to no dependency.
import type { LoggedRequest, RequestFilter } from '../public.ts'

/** Which requests are meant. All that is given must match. */
export interface ExpectedRequest extends RequestFilter {
  /** What the JSON body of the request has, among other things. */
  body?: object
}

/** How many requests match. */
export type ExpectedCount =
  | { exactly: number }
  | { atLeast: number }
  | { between: [number, number] }
  /** With `perSeconds`: in any period of this length. */
  | { atMost: number; perSeconds?: number }

export type Expectation = { name?: string } & (
  | (ExpectedRequest & {
      /** Default: at least one. */
      count?: ExpectedCount
    })
  /** Requests that follow one another in this order, with others in between. */
  | { inOrder: ExpectedRequest[] }
  /** After a response, no request that matches comes for a while. */
  | (ExpectedRequest & {
      after: ExpectedRequest
      noCallWithinSeconds: number
      /** Of the same operation, application and seller. Default: false. */
      sameOperation?: boolean
    })
)

export interface VerifyOptions {
  /** A time of the marketplace, or the id of a request: only requests from that time on, or after it. */
  since?: string | Date
  /** How long to wait until all expectations are met, in real time. Default: 0. */
  timeoutSeconds?: number
}

export interface ExpectationResult {
  name?: string
  passed: boolean
  expected: string
  /** How many requests matched. */
  seen: number
  message: string
  requests: LoggedRequest[]
  closest: { request: LoggedRequest; differences: string[] }[]
}

export interface Verification {
  passed: boolean
  results: ExpectationResult[]
}

/** Rejects with a `VerificationError` if an expectation is not met. */
export type Verify = (expectations: Expectation | Expectation[], options?: VerifyOptions) => Promise<Verification>
