/** A listings feed, as far as the console changes it. */
export interface SubmittedFeed {
  header: object
  messages: { messageId: number; sku?: string }[]
}

export function parseSubmitted(text: string): SubmittedFeed {
  const { header, messages } = JSON.parse(text)
  return { header, messages: Array.isArray(messages) ? messages : [] }
}

/** What the viewer changed, by message. */
export interface Corrections {
  texts: ReadonlyMap<number, string>
  leftOut: ReadonlySet<number>
}

export const NO_CORRECTIONS: Corrections = { texts: new Map(), leftOut: new Set() }

export function problemOf(text: string): string | undefined {
  try {
    const message = JSON.parse(text)
    if (typeof message !== 'object' || message === null) return 'A message is an object.'
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The feed to submit: its header, and the given messages with the corrections. */
export function applyCorrections(
  { header, messages }: SubmittedFeed,
  failedIds: ReadonlySet<number>,
  { texts, leftOut }: Corrections,
): SubmittedFeed {
  return {
    header,
    messages: messages
      .filter(({ messageId }) => failedIds.has(messageId) && !leftOut.has(messageId))
      .map((message) => {
        const text = texts.get(message.messageId)
        return text === undefined ? message : JSON.parse(text)
      }),
  }
}
