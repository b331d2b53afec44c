/** What needs a new id or secret. */
export type IdKind =
  | 'request'
  | 'accessToken'
  | 'refreshToken'
  | 'restrictedDataToken'
  | 'authorizationCode'
  | 'application'
  | 'client'
  | 'clientSecret'
  | 'signingKey'
  | 'job'
  | 'event'
  | 'submission'
  | 'destination'
  | 'subscription'
  | 'asin'
  | 'fnSku'
  | 'lease'
  | 'report'
  | 'reportSchedule'
  | 'reportDocument'
  | 'feed'
  | 'feedDocument'
  | 'upload'
  | 'order'
  | 'orderItem'
  | 'return'
  | 'uploadDestination'
  | 'message'
  | 'nonce'
  | 'salt'
  | 'consoleSession'
  | 'auditEntry'

/** The only source of identifiers and secrets. */
export interface Ids {
  next(kind: IdKind): string
}
