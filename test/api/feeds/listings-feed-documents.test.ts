import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FeedsClient, update } from '../../support/feeds.ts'
import { type ListingsClient, newShoe, startWatchedListings, type Watch } from '../../support/listings.ts'
import type { TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let listings: ListingsClient
let watch: Watch
beforeAll(async () => {
  ;({ souk, listings, watch } = await startWatchedListings())
  client = new FeedsClient(souk)
})

const header = () => `"header":{"sellerId":"${client.sellerId}","version":"2.0"}`
const documentOf = (...messages: string[]) => `{${header()},"messages":[${messages.join(',')}]}`
const good = (sku = 'GOOD') => JSON.stringify({ messageId: 1, ...update(sku, newShoe()) })
const bytes = (...parts: (string | Buffer | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string))) as Uint8Array<ArrayBuffer>

describe('a document that cannot be processed makes the feed FATAL, with the reason in its result, and writes nothing:', () => {
  let before: Set<string>
  let fatal = 0
  beforeAll(async () => {
    before = await watch.everything()
  })
  afterAll(async () => {
    const ended = expect.stringMatching(/FEED_PROCESSING_FINISHED.*FATAL/)
    expect(await watch.changesSince(before), 'rows written').toEqual(Array(fatal).fill(ended))
  })

  /** Processes an invalid document and returns the reason in its result. */
  async function reasonOf(document: string | Uint8Array<ArrayBuffer>): Promise<string> {
    const feed = await client.finished(document)
    expect(feed.processingStatus).toBe('FATAL')
    fatal++
    const report = await client.report(feed)
    expect(report.issues).toEqual([{ code: 'BAD_REQUEST', severity: 'ERROR', message: expect.any(String) }])
    expect(report.summary).toEqual({
      errors: 1,
      warnings: 0,
      messagesProcessed: 0,
      messagesAccepted: 0,
      messagesInvalid: 0,
    })
    return report.issues[0]?.message ?? ''
  }

  test.each<[string, () => string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['empty', () => '', /empty/],
    ['only white space', () => ' \n ', /line 2.*Unexpected end of document/],
    ['compressed', () => gzipSync(documentOf(good())) as Uint8Array<ArrayBuffer>, /compressed/],
    ['with a byte order mark', () => bytes([0xef, 0xbb, 0xbf], documentOf(good())), /byte order mark/],
    ['of UTF-16', () => bytes([0xff, 0xfe], Buffer.from(documentOf(good()), 'utf16le')), /byte order mark/],
    ['not UTF-8', () => bytes('{"header":"', [0xc3, 0x28], '"}'), /not UTF-8: byte 12/],
    ['not UTF-8, after letters that are', () => bytes('{"é€😀":"', [0xe9], '"}'), /not UTF-8: byte 15/],
    ['of Latin-1', () => Buffer.from(documentOf(good('Größe')), 'latin1') as Uint8Array<ArrayBuffer>, /not UTF-8/],
    ['no JSON', () => 'sku\tprice\nA\t1', /line 1, byte 1\. The document must be an object/],
    ['XML', () => '<?xml version="1.0"?><AmazonEnvelope/>', /line 1, byte 1/],
    ['a list', () => `[${documentOf(good())}]`, /must be an object with a header and messages/],
    ['truncated between messages', () => `{${header()},"messages":[${good()},`, /Unexpected end of document/],
    ['truncated inside of a message', () => documentOf(good()).slice(0, -30), /Unexpected end of document/],
    ['truncated inside of a text', () => `{${header()},"messages":[{"sku":"AB`, /Unexpected end of document/],
    ['truncated after a backslash', () => `{${header()},"messages":[{"sku":"AB\\`, /Unexpected end of document/],
    ['with trailing content', () => `${documentOf(good())} x`, /after the end/],
    ['with a comma too many', () => `{${header()},"messages":[${good()},]}`, /Expected a value/],
    [
      'without a comma',
      () => `{${header()},"messages":[${good()} ${good()}]}`,
      /Expected a comma or the end of the list/,
    ],
    ['without a colon', () => '{"header" {}}', /Expected a colon/],
    ['with a key without quotes', () => '{header:{}}', /Expected a quoted key/],
    ['without a header', () => `{"messages":[${good()}]}`, /no header/],
    ['without messages', () => `{${header()}}`, /no messages/],
    ['with a list of no messages', () => documentOf(), /no messages: there must be at least one/],
    ['with messages that are no list', () => `{${header()},"messages":{}}`, /messages must be a list/],
    ['with two headers', () => `{${header()},${header()},"messages":[${good()}]}`, /header is duplicated/],
    [
      'with two lists of messages',
      () => `{${header()},"messages":[],"messages":[${good()}]}`,
      /messages is duplicated/,
    ],
    ['with 30,000 messages', () => documentOf(...Array(30_000).fill('{}')), /more than 25000 messages/],
    [
      'with a message of 1,000 levels',
      () => documentOf(good(), `${'['.repeat(1000)}${']'.repeat(1000)}`),
      /more than 100 levels/,
    ],
    ['of 100,000 levels', () => '{"header":'.repeat(100_000), /more than 100 levels/],
    ['broken in its last message', () => documentOf(good(), good('B'), '{"messageId":2,}'), /In messages\[2\]/],
    ['broken in an ignored field', () => `{"comment":[1,},${header()},"messages":[${good()}]}`, /not valid JSON/],
    ['with a control character in a text', () => documentOf('{"messageId":1,"sku":"A\tB"}'), /In messages\[0\]/],
    ['with a NUL byte', () => documentOf('{"messageId":1,"sku":"A\0"}'), /In messages\[0\]/],
    ['with invalid numbers', () => documentOf('{"messageId":01}'), /In messages\[0\]/],
    ['with NaN', () => documentOf('NaN'), /In messages\[0\]/],
  ])('%s', async (_what, documentOf, reason) => {
    expect(await reasonOf(documentOf())).toMatch(reason)
  })

  test('reports the line and byte of an error', async () => {
    const text = `{\n${header()},\n"messages":[\n${good()},\n{"messageId":2 "sku":"A"}\n]}`
    const byte = Buffer.byteLength(text.slice(0, text.indexOf('"sku":"A"}'))) + 1
    expect(await reasonOf(text)).toContain(
      `line 5, byte ${byte}. In messages[1]: Expected a comma or the end of the object`,
    )
  })
})

describe('a document is accepted', () => {
  test('with 25,000 messages, and all are reported', async () => {
    const own = new FeedsClient(souk)
    const messages = Array.from({ length: 25_000 }, (_, index) => ({
      messageId: index + 1,
      sku: 'A',
      operationType: '',
    }))
    const report = await own.processText(own.document(messages))
    expect(report.summary).toMatchObject({ messagesProcessed: 25_000, messagesInvalid: 25_000, errors: 25_000 })
    expect(report.issues).toHaveLength(25_000)
  })

  test('with white space wherever JSON allows it, and with unknown keys in any order', async () => {
    const document = `\r\n\t{ "extra" : { "a" : [ "]}" , 1.5e3 , null ] } , "messages" : [ ${good('SPACED')} ] ,\n${header()} , "more":"\\"}" }\n\n`
    expect((await client.processText(document)).summary).toMatchObject({ messagesAccepted: 1 })
    expect((await listings.get('SPACED')).statusCode).toBe(200)
  })

  test('with any characters, plain or escaped', async () => {
    const sku = 'Größe 😀 "42" \\ /'
    const name = JSON.stringify('\u00c4 \ud83d\ude00').replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const message = JSON.stringify({ messageId: 1, ...update(sku, newShoe({ item_name: [{ value: 'NAME' }] })) })
    expect((await client.processText(documentOf(message.replace('"NAME"', name)))).issues).toEqual([])
    expect((await listings.read(sku)).summaries).toMatchObject([{ itemName: 'Ä 😀' }])
  })

  test('with its header last', async () => {
    const report = await client.processText(`{"messages":[${good('LAST')}],${header()}}`)
    expect(report.summary).toMatchObject({ messagesAccepted: 1 })
  })
})
