import type { FaultSettings } from '../public.ts'

export interface IncidentDefinition {
  /** One sentence without a period. */
  summary: string
  /** It lasts until it is ended: a client that needs what it prevents can only give up. */
  isEndless?: true
  faults: readonly FaultSettings[]
}

/** How often a report may be requested is not documented; half an hour is what developers observed most. */
const FREQUENCY_SECONDS = 1_800

const lists = ['getOrders', 'searchOrders', 'getReports', 'getFeeds', 'searchCatalogItems', 'searchListingsItems']
const transfers = ['downloadDocument', 'uploadDocument']
const writes = ['createReport', 'createFeed', 'patchListingsItem', 'putListingsItem', 'confirmShipment']

/** Problems that many developers had with the live service. Each has a page in docs/incidents. */
export const incidents: Readonly<Record<string, IncidentDefinition>> = {
  'stuck-feed': {
    summary: 'A feed stays IN_PROGRESS, and the feeds after it stay IN_QUEUE',
    isEndless: true,
    faults: [{ match: { operations: 'processFeed' }, action: { kind: 'stuck' }, count: 1 }],
  },
  'stuck-report': {
    summary: 'A report stays IN_PROGRESS for days',
    isEndless: true,
    faults: [{ match: { operations: 'processReport' }, action: { kind: 'stuck' }, count: 1 }],
  },
  'gzip-lie': {
    summary: 'compressionAlgorithm is GZIP, but the document arrives as plain text',
    faults: [{ match: { operations: 'downloadDocument' }, action: { kind: 'notCompressed' } }],
  },
  'notifications-cease': {
    summary: 'Notifications cease, although the subscription is as it was',
    isEndless: true,
    faults: [{ action: { kind: 'lose' } }],
  },
  'quota-under-quota': {
    summary: 'Half of the requests get 429 far below the documented rate',
    faults: [{ action: { kind: 'throttle' }, percentage: 50 }],
  },
  'throttled-without-header': {
    summary: 'The first three requests get 429 without x-amzn-RateLimit-Limit',
    faults: [{ action: { kind: 'throttle', rateLimitHeader: false }, count: 3 }],
  },
  'cancelled-by-frequency': {
    summary: 'Reports are CANCELLED for half an hour because they were requested too often',
    isEndless: true,
    faults: [{ match: { operations: 'processReport' }, action: { kind: 'cancel' }, forSeconds: FREQUENCY_SECONDS }],
  },
  'accepted-not-listed': {
    summary: 'Submissions of listings are ACCEPTED and have no effect',
    isEndless: true,
    faults: [{ match: { operations: ['putListingsItem', 'patchListingsItem'] }, action: { kind: 'ignore' } }],
  },
  'queue-policy-missing': {
    summary: 'The queue refuses notifications, because its policy does not allow the marketplace to send',
    isEndless: true,
    faults: [{ action: { kind: 'refuse', reason: 'AccessDenied' } }],
  },
  'signature-mismatch-content-type': {
    summary: 'The first upload gets 403 SignatureDoesNotMatch',
    faults: [
      {
        match: { operations: 'uploadDocument' },
        action: {
          kind: 'status',
          status: 403,
          code: 'SignatureDoesNotMatch',
          message:
            'The request signature does not match the signature you provided. Check your key and signing method.',
        },
        count: 1,
      },
    ],
  },
  'lost-answer': {
    summary: 'A write has its effect, but the connection closes before the response',
    faults: [{ match: { operations: writes }, action: { kind: 'drop', when: 'after' }, count: 1 }],
  },
  'token-expiry-mid-pagination': {
    summary: 'The access token expires with the second page of a list',
    faults: [{ match: { operations: lists, nextPage: true }, action: { kind: 'expireToken' }, nth: 1 }],
  },
  'duplicate-notifications': {
    summary: 'Every notification arrives ten times',
    faults: [{ action: { kind: 'duplicate', copies: 9 } }],
  },
  'reordered-notifications': {
    summary: 'The second of two notifications arrives a minute before the first',
    faults: [{ action: { kind: 'reorder', seconds: 60 } }],
  },
  'storage-slow-down': {
    summary: 'The first two downloads or uploads get 503 SlowDown',
    faults: [{ match: { operations: transfers }, action: { kind: 'slowDown' }, count: 2 }],
  },
  'expired-download-link': {
    summary: 'The link of a document has expired when it is used for the first time',
    faults: [{ match: { operations: 'downloadDocument' }, action: { kind: 'expiredLink' }, count: 1 }],
  },
  'truncated-download': {
    summary: 'The first download of a document ends in the middle',
    faults: [{ match: { operations: 'downloadDocument' }, action: { kind: 'truncate' }, count: 1 }],
  },
  'report-fatal': {
    summary: 'A report ends in FATAL without a reason, and the next one succeeds',
    faults: [{ match: { operations: 'processReport' }, action: { kind: 'fatal' }, count: 1 }],
  },
  'intermittent-503': {
    summary: 'The first two requests get 503',
    faults: [{ action: { kind: 'status', status: 503 }, count: 2 }],
  },
  'gateway-timeout': {
    summary: 'A write has its effect, but the gateway responds with 504',
    faults: [{ match: { operations: writes }, action: { kind: 'status', status: 504, when: 'after' }, count: 1 }],
  },
}
