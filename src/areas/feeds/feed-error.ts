/** Why a document cannot be processed at all: the feed ends FATAL, and its result says this. */
export class FeedError extends Error {
  readonly code: string

  constructor(message: string, code = 'BAD_REQUEST') {
    super(message)
    this.name = 'FeedFault'
    this.code = code
  }
}
