import type { Target } from '../../../platform/messaging/port.ts'

const REDACTED = '[redacted]'

const PLACES = [
  /\barn:[\w-]*:[^\s"'<>,;()]+/gi,
  /\bhttps?:\/\/[^\s"'<>,;()]+/gi,
  // Hosts and addresses, but not codes of errors such as AWS.SimpleQueueService.NonExistentQueue.
  /(?<![\w.-])(?!AWS\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?![\w-])/gi,
  /(?<![\w:])(?:[0-9a-f]{0,4}:){2,}[0-9a-f]{0,4}(?::\d+)?(?![\w:])/gi,
  // A host of one word follows the code of a system error.
  /(?<=\bE[A-Z_]{2,} )(?!\[redacted\])[^\s"'<>,;()]+/g,
  /(?<!\d)\d{12}(?!\d)/g,
  // Files of the operator.
  /(?<![\w/.])\/[^\s"'<>,;()]+/g,
]

const WORD = /[\w-]+(?:\.[\w-]+)*/g

/** A text of another service without the queue, the account and the hosts that it may name. */
export function maskPlaces(text: string, target: Target | undefined): string {
  const named = PLACES.reduce((masked, place) => masked.replace(place, REDACTED), text)
  const queue = target?.kind === 'sqs' ? target.arn.split(':').at(-1) : undefined
  // Queues can have short names, so only a whole word is one.
  return queue ? named.replace(WORD, (word) => (word === queue ? REDACTED : word)) : named
}
