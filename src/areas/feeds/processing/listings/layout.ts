import { inSlices } from '../../../../platform/in-slices.ts'
import { FeedError } from '../../feed-error.ts'
import { JsonScanner, type Span } from './json-scanner.ts'

/** Positions of the parts of a listings document. */
export interface Layout {
  header: Span
  messages: Span[]
}

export const MAX_MESSAGES = 25_000
/** Also the limit of the header. A parsed message may take twenty times the memory of its text. */
export const MAX_MESSAGE_BYTES = 1024 * 1024
const MAX_NAME_LENGTH = 50

export const sizeOf = ({ start, end }: Span) => end - start

/**
 * Finds the header and the messages without parsing them, because parsed messages take many times the memory of their text.
 * Validates the JSON of the whole document, in slices: it takes longer than other work may wait.
 */
export async function findLayout(bytes: Uint8Array): Promise<Layout> {
  const scanner = new JsonScanner(bytes)
  let header: Span | undefined
  let messages: Span[] | undefined
  for await (const key of inSlices(scanner.members('The document must be an object with a header and messages'))) {
    if ((key === 'header' && header) || (key === 'messages' && messages)) throw scanner.errorAt(`${key} is duplicated`)
    if (key === 'header') header = scanner.value(key)
    else if (key === 'messages') messages = await findMessages(scanner)
    else scanner.value(key.slice(0, MAX_NAME_LENGTH))
  }
  scanner.end()
  if (!header) throw new FeedError('The document has no header.')
  if (!messages) throw new FeedError('The document has no messages.')
  if (messages.length === 0) throw new FeedError('The document has no messages: there must be at least one.')
  return { header, messages }
}

async function findMessages(scanner: JsonScanner): Promise<Span[]> {
  const messages: Span[] = []
  for await (const message of inSlices(scanner.elements('messages'))) {
    if (messages.length === MAX_MESSAGES) {
      throw new FeedError(`The document has more than ${MAX_MESSAGES} messages.`)
    }
    messages.push(message)
  }
  return messages
}
