import { FeedError } from '../../feed-error.ts'
import { JsonScanner, type Span } from './json-scanner.ts'

/** Where the parts of a listings document lie. */
export interface Layout {
  header: Span
  messages: Span[]
}

export const MAX_MESSAGES = 25_000
/** A message is parsed whole, which may take twenty times the memory of its text; so is the header. */
export const MAX_MESSAGE_BYTES = 1024 * 1024
const MAX_NAME_LENGTH = 50

export const sizeOf = ({ start, end }: Span) => end - start

/**
 * Finds the parts of a document without taking it apart: as objects, all messages together would need many times the
 * memory that their bytes do. All of it is JSON then, to its end.
 */
export function findLayout(bytes: Uint8Array): Layout {
  const scanner = new JsonScanner(bytes)
  let header: Span | undefined
  let messages: Span[] | undefined
  for (const key of scanner.members('The document must be an object with a header and messages')) {
    if ((key === 'header' && header) || (key === 'messages' && messages)) throw scanner.errorAt(`${key} is duplicated`)
    if (key === 'header') header = scanner.value(key)
    else if (key === 'messages') messages = findMessages(scanner)
    else scanner.value(key.slice(0, MAX_NAME_LENGTH))
  }
  scanner.end()
  if (!header) throw new FeedError('The document has no header.')
  if (sizeOf(header) > MAX_MESSAGE_BYTES) {
    throw new FeedError(`The header has more than ${MAX_MESSAGE_BYTES} bytes.`)
  }
  if (!messages) throw new FeedError('The document has no messages.')
  if (messages.length === 0) throw new FeedError('The document has no messages: there must be at least one.')
  return { header, messages }
}

function findMessages(scanner: JsonScanner): Span[] {
  const messages: Span[] = []
  for (const message of scanner.elements('messages')) {
    if (messages.length === MAX_MESSAGES) {
      throw new FeedError(`The document has more than ${MAX_MESSAGES} messages.`)
    }
    messages.push(message)
  }
  return messages
}
