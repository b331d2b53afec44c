/** The live service's code for a message or header that does not satisfy the schema. */
export const INVALID_MESSAGE_CODE = '4002008'

/** The document cannot be processed: the feed ends FATAL, with this error as its result. */
export class FeedError extends Error {
  readonly code: string

  constructor(message: string, code = 'BAD_REQUEST') {
    super(message)
    this.name = 'FeedError'
    this.code = code
  }
}
