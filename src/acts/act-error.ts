import { joinSentences } from '../platform/errors/sentences.ts'

export interface ActErrorDetail {
  code: string
  message: string
  /** What is wrong, and where: `quantity exceeds the stock of the listing: 2 left.` */
  details?: string
}

/** An act that the marketplace refuses. Nothing was written. */
export class ActError extends Error {
  override name = 'ActError'
  /** The HTTP status of the same act at `/_souk/acts`. */
  readonly status: number
  readonly errors: readonly ActErrorDetail[]

  constructor(status: number, errors: readonly ActErrorDetail[]) {
    super(joinSentences(...errors.map(({ message, details }) => details || message)))
    this.status = status
    this.errors = errors
  }
}

/** For `catch`, where what was asked for may be gone: undefined instead of a 404. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof ActError && error.status === 404)) throw error
}
