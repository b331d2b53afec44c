import { beforeAll, describe, expect, test } from 'vitest'
import {
  FeedsClient,
  type Message,
  type ProcessingReport,
  partialUpdate,
  patch,
  remove,
  update,
} from '../../support/feeds.ts'
import { type ListingsClient, newShoe, setQuantity, startListings } from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
beforeAll(async () => {
  ;({ souk, listings } = await startListings())
  client = new FeedsClient(souk)
})

const header = () => `"header":{"sellerId":"${client.sellerId}","version":"2.0"}`
const documentOf = (...messages: string[]) => `{${header()},"messages":[${messages.join(',')}]}`

/** A message in the words of JSON. */
const words = (fields: Message) => JSON.stringify({ messageId: 1, ...fields })

describe('an invalid message is rejected alone, with the reason and its id, and the others are applied:', () => {
  const wrong: [what: string, message: string, reason: RegExp][] = [
    ['without sku', words({ operationType: 'DELETE' }), /sku must be a string/],
    ['with an empty sku', words({ ...remove('') }), /sku must be a string/],
    ['with a sku of 256 characters', words({ ...remove('x'.repeat(256)) }), /sku must be a string of 1 to 255/],
    ['with a sku that is a number', words({ ...remove('A'), sku: 5 }), /sku must be a string/],
    [
      'without operationType',
      words({ sku: 'A' }),
      /operationType must be one of UPDATE, PARTIAL_UPDATE, PATCH, DELETE/,
    ],
    ['with an unknown operationType', words({ sku: 'A', operationType: 'UPSERT' }), /operationType must be/],
    [
      'with an operationType that is an object method',
      words({ sku: 'A', operationType: 'toString' }),
      /operationType must be/,
    ],
    [
      'with attributes and patches',
      words({ ...update('A', newShoe()), patches: [setQuantity(1)] }),
      /patches is not allowed with UPDATE/,
    ],
    [
      'of PATCH with attributes',
      words({ ...patch('A', setQuantity(1)), attributes: newShoe() }),
      /attributes is not allowed with PATCH/,
    ],
    [
      'of PATCH with requirements',
      words({ ...patch('A', setQuantity(1)), requirements: 'LISTING' }),
      /requirements is not allowed/,
    ],
    [
      'of PARTIAL_UPDATE with requirements',
      words({ ...update('A', newShoe()), operationType: 'PARTIAL_UPDATE', requirements: 'LISTING' }),
      /requirements is not allowed/,
    ],
    [
      'of DELETE with a product type',
      words({ ...remove('A'), productType: 'SHOES' }),
      /productType is not allowed with DELETE/,
    ],
    [
      'of UPDATE without attributes',
      words({ sku: 'A', operationType: 'UPDATE', productType: 'SHOES' }),
      /attributes is required with UPDATE/,
    ],
    [
      'of UPDATE without a product type',
      words({ ...update('A', newShoe()), productType: undefined }),
      /productType is required with UPDATE/,
    ],
    [
      'of PATCH without patches',
      words({ sku: 'A', operationType: 'PATCH', productType: 'SHOES' }),
      /patches is required/,
    ],
    ['with no attributes in it', words(update('A', {})), /attributes must be an object with 1 to/],
    ['with attributes that are a list', words(update('A', [])), /attributes must be an object/],
    [
      'with 1,001 attributes',
      words(update('A', Object.fromEntries(Array(1001).fill([]).entries()))),
      /1 to 1000 attributes/,
    ],
    [
      'with unknown requirements',
      words(update('A', newShoe(), { requirements: 'ALL' })),
      /requirements must be one of/,
    ],
    ['with no patches in it', words(patch('A')), /patches must be a list/],
    ['with a patch that is text', words({ ...patch('A'), patches: [setQuantity(1), 'x'] }), /patches\[1\] must have/],
    [
      'with a patch of an unknown kind',
      words(patch('A', { ...setQuantity(1), op: 'move' })),
      /patches\[0\] must have an op \(add, replace, merge, delete\)/,
    ],
    ['with a patch whose value is not a list', words(patch('A', { ...setQuantity(1), value: {} })), /patches\[0\]/],
    ['with 501 patches', words(patch('A', ...Array(501).fill(setQuantity(1)))), /1 to 500 patches/],
    [
      'with a key __proto__',
      '{"messageId":1,"sku":"A","operationType":"UPDATE","productType":"SHOES","attributes":{"__proto__":{"polluted":[{"value":1}]}}}',
      /attributes\.__proto__ is not allowed as a key/,
    ],
    [
      'with a key __proto__ in escapes',
      '{"messageId":1,"sku":"A","operationType":"DELETE","\\u005f_proto__":{"sku":"B"}}',
      /__proto__ is not allowed/,
    ],
    ['with NUL in its sku', '{"messageId":1,"sku":"A\\u0000","operationType":"DELETE"}', /sku contains a NUL/],
    [
      'with NUL in a value',
      words(update('A', newShoe({ item_name: [{ value: 'A\0B' }] }))),
      /attributes\.item_name\.0\.value contains a NUL/,
    ],
    [
      'with NUL in a path',
      words(patch('A', { ...setQuantity(1), path: '/attributes/\0' })),
      /patches\.0\.path contains a NUL/,
    ],
    ['with half a surrogate pair', '{"messageId":1,"sku":"\\ud83d","operationType":"DELETE"}', /unpaired surrogate/],
  ]
  let report: ProcessingReport
  beforeAll(async () => {
    // Each has its place as its id, and a good one behind it.
    const messages = wrong.flatMap(([, message], index) => [
      message.replace('"messageId":1', `"messageId":${2 * index + 1}`),
      words({ ...update('SURVIVOR', newShoe()), messageId: 2 * index + 2 }),
    ])
    report = await client.processText(documentOf(...messages))
  })

  test.each(wrong.map(([what, , reason], index) => [what, reason, 2 * index + 1] as const))(
    '%s',
    (_what, reason, messageId) => {
      expect(report.issues.filter((issue) => issue.messageId === messageId)).toEqual([
        expect.objectContaining({ code: '4002008', severity: 'ERROR', message: expect.stringMatching(reason) }),
      ])
    },
  )

  test('none of them is applied', async () => {
    const count = wrong.length
    expect(report.summary).toMatchObject({
      messagesProcessed: 2 * count,
      messagesAccepted: count,
      messagesInvalid: count,
      errors: count,
    })
    expect(report.issues).toHaveLength(count)
    expect(report.issues.filter(({ sku }) => sku === 'A').length).toBeGreaterThan(20)
    expect((await listings.get('SURVIVOR')).statusCode).toBe(200)
    expect((await listings.get('A')).statusCode).toBe(404)
    expect({}).not.toHaveProperty('polluted')
  })

  test.each([
    '5',
    'null',
    '"text"',
    '[]',
    '{}',
    '{"sku":"A"}',
    '{"messageId":0,"sku":"A"}',
    '{"messageId":2147483648,"sku":"A"}',
    '{"messageId":"1","sku":"A"}',
    '{"messageId":1.5,"sku":"A"}',
  ])('%s, reported by its index because it has no id', async (wrong) => {
    const report = await client.processText(documentOf(words(remove('NOBODY')), wrong))
    expect(report.summary).toMatchObject({ messagesAccepted: 1, messagesInvalid: 1 })
    expect(report.issues).toMatchObject([{ code: '4002008', message: expect.stringContaining('messages[1]') }])
    expect(report.issues[0]).not.toHaveProperty('messageId')
  })

  test('with a duplicate id: the first is applied', async () => {
    const named = (name: string) => words(update('TWIN', newShoe({ item_name: [{ value: name }] })))
    const report = await client.processText(
      documentOf(named('First'), named('Second'), words({ ...remove('X'), messageId: 2 })),
    )
    expect(report.issues).toEqual([
      { messageId: 1, sku: 'TWIN', code: '4002008', severity: 'ERROR', message: 'messageId 1 is duplicated.' },
    ])
    expect(report.summary).toMatchObject({ messagesProcessed: 3, messagesAccepted: 2, messagesInvalid: 1 })
    expect((await listings.read('TWIN')).summaries).toMatchObject([{ itemName: 'First' }])
  })

  test('with a duplicate id, in a result with items: the items of accepted messages', async () => {
    const messages = [
      { ...update('FIRST-ITEM', newShoe()), messageId: 1 },
      { ...update('SECOND-ITEM', newShoe()), messageId: 1 },
      { ...update('THIRD-ITEM', newShoe()), messageId: 2 },
      { ...update('NO-ITEM', { unknown: [] }), messageId: 3 },
      { ...update('ALSO-NO-ITEM', newShoe()), messageId: 3 },
    ]
    const report = await client.process(messages, { includedData: ['summaries'] })
    expect(report.items?.map(({ sku }) => sku)).toEqual(['FIRST-ITEM', 'THIRD-ITEM'])
  })

  test('also if it is the only message', async () => {
    const report = await client.processText(documentOf(words({ sku: 'ALONE', operationType: 'UPSERT' })))
    expect(report.issues).toMatchObject([{ messageId: 1, sku: 'ALONE' }])
    expect(report.summary).toMatchObject({ messagesProcessed: 1, messagesAccepted: 0, messagesInvalid: 1 })
  })
})

describe('a document that would take many times its size when parsed', () => {
  const lists = (count: number) => `"x":[${'[],'.repeat(count)}[]]`

  test.each([400_000, 20_000])('has a message of %i lists rejected, and the others applied', async (count) => {
    const large = `{"messageId":1,"sku":"LARGE","operationType":"DELETE",${lists(count)}}`
    const report = await client.processText(documentOf(large, words({ ...update('BESIDE', newShoe()), messageId: 2 })))
    expect(report.issues).toEqual([
      {
        code: '4002008',
        severity: 'ERROR',
        message: 'messages[0]: The message has more than 1048576 bytes, or more than 20000 members, objects and lists.',
      },
    ])
    expect(report.summary).toMatchObject({ messagesProcessed: 2, messagesAccepted: 1 })
    expect((await listings.get('BESIDE')).statusCode).toBe(200)
  })

  test.each([400_000, 20_000])('is FATAL if its header has %i lists', async (count) => {
    const text = `{"header":{"sellerId":"${client.sellerId}","version":"2.0",${lists(count)}},"messages":[{}]}`
    const feed = await client.finished(text)
    expect(feed.processingStatus).toBe('FATAL')
    expect((await client.report(feed)).issues).toMatchObject([
      { message: 'The header has more than 1048576 bytes, or more than 20000 members, objects and lists.' },
    ])
  })

  test('has large messages applied one by one, in order', async () => {
    const messages = Array.from({ length: 6 }, (_, index) => ({ ...remove(`L-${index}`), messageId: index + 1 }))
    const numbers = `"x":[${'1,'.repeat(300_000)}1]`
    const padded = messages.map((message) => `{${numbers},${JSON.stringify(message).slice(1)}`)
    padded.push(words({ ...remove('L-6'), messageId: 3 }))
    const report = await client.processText(documentOf(...padded))
    expect(report.issues).toMatchObject([{ messageId: 3, sku: 'L-6', message: 'messageId 3 is duplicated.' }])
    expect(report.summary).toMatchObject({ messagesProcessed: 7, messagesAccepted: 6 })
  })
})

describe('a message with hundreds of violations', () => {
  const unknown = Array.from({ length: 400 }, (_, index) => `no_such_${index}`)

  test.each<[string, Message]>([
    ['UPDATE', update('MANY-FAULTS', Object.fromEntries(unknown.map((name) => [name, []])))],
    ['PARTIAL_UPDATE', partialUpdate('MANY-FAULTS', Object.fromEntries(unknown.map((name) => [name, []])))],
    ['PATCH', patch('MANY-FAULTS', ...unknown.map((name) => ({ op: 'delete', path: `/attributes/${name}` })))],
  ])('is rejected with the first fifty: %s', async (_operation, message) => {
    const report = await client.processText(documentOf(words(message)))
    expect(report.summary).toMatchObject({ errors: 50, messagesInvalid: 1 })
    expect(report.issues).toHaveLength(50)
  })
})
