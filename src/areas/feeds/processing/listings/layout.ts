import { FeedFault } from '../../feed-error.ts'
import { JsonScanner, type Span } from './json-scanner.ts'

/** Where the parts of a listings document lie. */
export interface Layout {
  header: Span
  messages: Span[]
}

export const MOST_MESSAGES = 25_000
/** A message is parsed whole, which may take twenty times the memory of its text; so is the header. */
export const LARGEST_MESSAGE_BYTES = 1024 * 1024
const LONGEST_NAME = 50

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
    if ((key === 'header' && header) || (key === 'messages' && messages)) throw scanner.fault(`${key} is there twice`)
    if (key === 'header') header = scanner.value(key)
    else if (key === 'messages') messages = findMessages(scanner)
    else scanner.value(key.slice(0, LONGEST_NAME))
  }
  scanner.end()
  if (!header) throw new FeedFault('The document has no header.')
  if (sizeOf(header) > LARGEST_MESSAGE_BYTES) {
    throw new FeedFault(`The header has more than ${LARGEST_MESSAGE_BYTES} bytes.`)
  }
  if (!messages) throw new FeedFault('The document has no messages.')
  if (messages.length === 0) throw new FeedFault('The document has no messages: there must be at least one.')
  return { header, messages }
}

function findMessages(scanner: JsonScanner): Span[] {
  const messages: Span[] = []
  for (const message of scanner.elements('messages')) {
    if (messages.length === MOST_MESSAGES) {
      throw new FeedFault(`The document has more than ${MOST_MESSAGES} messages.`)
    }
    messages.push(message)
  }
  return messages
}
