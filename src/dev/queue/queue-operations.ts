import type { Reader } from '../../platform/database/port.ts'
import { inSteps } from '../../platform/sweeps.ts'
import type { Input } from './input.ts'
import { countMessages, deleteSomeMessages } from './message-store.ts'
import type { Operations, QueueDependencies, RequestContext } from './operation.ts'
import {
  findDifference,
  newQueue,
  parseArn,
  parseAttributeNames,
  parseQueueAttributes,
  parseQueueName,
  parseQueueUrl,
  type Queue,
  queueDoesNotExist,
  queueOfArn,
  redrivePolicyOf,
  renderAttributes,
  withAttributes,
} from './queue.ts'
import { invalidParameter, missingParameter, QueueError } from './queue-error.ts'
import { deleteQueue, findQueue, insertQueues, listQueues, requireQueue, updateQueue } from './queue-store.ts'

/** Of queues that a client creates. The queue of a destination has the account of its ARN. */
const LOCAL_ACCOUNT = '000000000000'
const MAX_QUEUES_PER_PAGE = 1000
const MAX_TAGS = 50
const MAX_TAG_LENGTH = 256

const NO_COUNTS = { visible: 0, inFlight: 0, delayed: 0 }

/** The name of the queue that a request is about. */
export function queueNameOf(input: Input, { queueOfPath }: RequestContext): string {
  const url = input.text('QueueUrl') || queueOfPath
  if (!url) throw missingParameter('QueueUrl')
  return parseQueueUrl(url)
}

const urlOf = ({ account, name }: Queue, { origin }: RequestContext) => `${origin}/${account}/${name}`

export function createQueueOperations({ database, clock, polls }: QueueDependencies) {
  const now = () => clock.now().getTime()
  const deleteMessagesOf = (name: string) => inSteps({ database }, (tx, limit) => deleteSomeMessages(tx, name, limit))

  const operations = {
    async CreateQueue(input, context) {
      const fields = { name: parseQueueName(input), region: context.region, account: LOCAL_ACCOUNT }
      const attributes = parseQueueAttributes(input)
      const tags = parseTags(input, 'tags')
      return database.transact(async (tx) => {
        const existing = await findQueue(tx, fields.name)
        if (existing) {
          requireSameAttributes(existing, attributes)
          return { QueueUrl: urlOf(existing, context) }
        }
        const queue = { ...withAttributes(newQueue(fields, now()), attributes, now()), tags }
        await requireDeadLetterQueue(tx, queue)
        await insertQueues(tx, [queue])
        return { QueueUrl: urlOf(queue, context) }
      })
    },

    async GetQueueUrl(input, context) {
      const name = parseQueueName(input)
      return { QueueUrl: urlOf(await database.read((reader) => requireQueue(reader, name)), context) }
    },

    async ListQueues(input, context) {
      const prefix = input.text('QueueNamePrefix') ?? ''
      const max = input.integer('MaxResults', { min: 1, max: MAX_QUEUES_PER_PAGE })
      const limit = max ?? MAX_QUEUES_PER_PAGE
      const after = input.text('NextToken') ?? ''
      const queues = await database.read((reader) => listQueues(reader, { prefix, after, limit: limit + 1 }))
      const page = queues.slice(0, limit)
      const last = page.at(-1)
      return {
        QueueUrls: page.map((queue) => urlOf(queue, context)),
        // Without a page size, SQS returns the first queues only.
        ...(max !== undefined && queues.length > limit && last && { NextToken: last.name }),
      }
    },

    async GetQueueAttributes(input, context) {
      const name = queueNameOf(input, context)
      const { names, needsCounts } = parseAttributeNames(input)
      return database.read(async (reader) => {
        const queue = await requireQueue(reader, name)
        const counts = needsCounts ? await countMessages(reader, queue, now()) : NO_COUNTS
        return { Attributes: renderAttributes(queue, names, counts) }
      })
    },

    async SetQueueAttributes(input, context) {
      const attributes = parseQueueAttributes(input)
      if (Object.keys(attributes).length === 0) throw missingParameter('Attributes')
      await change(queueNameOf(input, context), (queue) => withAttributes(queue, attributes, now()))
      return {}
    },

    async TagQueue(input, context) {
      const tags = parseTags(input, 'Tags')
      await change(queueNameOf(input, context), (queue) => {
        const all = { ...queue.tags, ...tags }
        if (Object.keys(all).length > MAX_TAGS) throw tooManyTags()
        return { ...queue, tags: all }
      })
      return {}
    },

    async UntagQueue(input, context) {
      const keys = new Set(input.texts('TagKeys'))
      await change(queueNameOf(input, context), (queue) => {
        return { ...queue, tags: Object.fromEntries(Object.entries(queue.tags).filter(([key]) => !keys.has(key))) }
      })
      return {}
    },

    async ListQueueTags(input, context) {
      const name = queueNameOf(input, context)
      const { tags } = await database.read((reader) => requireQueue(reader, name))
      return Object.keys(tags).length > 0 ? { Tags: tags } : {}
    },

    async PurgeQueue(input, context) {
      const name = queueNameOf(input, context)
      await database.read((reader) => requireQueue(reader, name))
      await deleteMessagesOf(name)
      return {}
    },

    async DeleteQueue(input, context) {
      const name = queueNameOf(input, context)
      // With the queue they would be deleted in one transaction, for which all others wait.
      await deleteMessagesOf(name)
      await database.transact(async (tx) => {
        if (!(await deleteQueue(tx, name))) throw queueDoesNotExist()
      })
      polls.notify(name)
      return {}
    },
  } satisfies Operations

  return {
    operations,

    /** Creates the queues of these ARNs that do not exist. */
    async createQueues(arns: readonly string[]): Promise<void> {
      if (arns.length === 0) return
      const queues = arns.map((arn) => queueOfArn(arn, now()))
      await database.transact((tx) => insertQueues(tx, queues))
    },
  }

  async function change(name: string, changed: (queue: Queue) => Queue): Promise<void> {
    await database.transact(async (tx) => {
      const queue = changed(await requireQueue(tx, name))
      await requireDeadLetterQueue(tx, queue)
      await updateQueue(tx, queue)
    })
    polls.notify(name)
  }
}

function requireSameAttributes(queue: Queue, attributes: Readonly<Record<string, string>>): void {
  const different = findDifference(queue, attributes)
  if (different === undefined) return
  const message = `A queue already exists with the same name and a different value for attribute ${different}`
  throw new QueueError('QueueNameExists', message)
}

async function requireDeadLetterQueue(reader: Reader, queue: Queue): Promise<void> {
  const policy = redrivePolicyOf(queue)
  if (!policy || (await findQueue(reader, parseArn(policy.deadLetterTargetArn).name))) return
  throw invalidParameter('RedrivePolicy', queue.attributes.RedrivePolicy, 'Dead letter target does not exist.')
}

function parseTags(input: Input, name: string): Record<string, string> {
  const entries = input.textMap(name)
  if (entries.length > MAX_TAGS) throw tooManyTags()
  const long = entries.find(([key, value]) => key.length > MAX_TAG_LENGTH || value.length > MAX_TAG_LENGTH)
  if (!long) return Object.fromEntries(entries)
  throw new QueueError('InvalidParameterValue', `Tag keys and values can have at most ${MAX_TAG_LENGTH} characters.`)
}

const tooManyTags = () => new QueueError('InvalidParameterValue', `A queue can have at most ${MAX_TAGS} tags.`)
