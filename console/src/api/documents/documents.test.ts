import { describe, expect, test } from 'vitest'
import { parseTsv } from './parse-tsv.ts'
import { parseXml } from './parse-xml.ts'

describe('the table of a flat file', () => {
  test('has the columns of the header and a row per line', async () => {
    const { columns, rows } = await parseTsv('sku\tprice\r\nA-1\t12.50\r\nA-2\t\r\n')
    expect(columns).toEqual(['sku', 'price'])
    expect(rows).toEqual([
      ['A-1', '12.50'],
      ['A-2', ''],
    ])
  })

  test('keeps quotes, which mean nothing in the format, and ignores a byte order mark', async () => {
    const { columns, rows } = await parseTsv('\uFEFFtitle\tsize\n"12\tb')
    expect(columns).toEqual(['title', 'size'])
    expect(rows).toEqual([['"12', 'b']])
  })

  test('is empty for an empty document', async () => {
    expect(await parseTsv('')).toEqual({ columns: [], rows: [] })
  })

  test('of 25,000 rows has all of them, and lets the page react meanwhile', async () => {
    const line = Array.from({ length: 30 }, (_, index) => `value ${index}`).join('\t')
    const steps: number[] = []
    const { rows } = await parseTsv(`${line}\n`.repeat(25_001), { onProgress: (share) => steps.push(share) })
    expect(rows.length).toBe(25_000)
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
  })

  test('stops when the reader leaves', async () => {
    const reader = new AbortController()
    const parsing = parseTsv('a\tb\n'.repeat(500_000), {
      signal: reader.signal,
      onProgress: () => reader.abort(new Error('left')),
    })
    await expect(parsing).rejects.toThrow('left')
  })
})

const envelope = (messages: string) =>
  `<?xml version="1.0"?><AmazonEnvelope><Header><DocumentVersion>1.00</DocumentVersion></Header><MessageType>Any</MessageType>${messages}</AmazonEnvelope>`

const asObjects = async (text: string) => {
  const { columns, rows } = await parseXml(text)
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? ''])))
}

describe('the table of an XML report', () => {
  test('has a row per item of a return, with the fields of the return on each', async () => {
    const rows = await asObjects(
      envelope(
        '<Message><return_details><item_details><asin>B1</asin></item_details><item_details><asin>B2</asin></item_details>' +
          '<order_id>1</order_id></return_details><return_details><item_details><asin>B3</asin></item_details>' +
          '<order_id>2</order_id></return_details></Message>',
      ),
    )
    expect(rows).toEqual([
      { order_id: '1', 'item_details.asin': 'B1' },
      { order_id: '1', 'item_details.asin': 'B2' },
      { order_id: '2', 'item_details.asin': 'B3' },
    ])
  })

  test('names the parts of a price by their type, with the currency', async () => {
    const part = (type: string, amount: string) =>
      `<Component><Type>${type}</Type><Amount currency="EUR">${amount}</Amount></Component>`
    const [row] = await asObjects(
      envelope(
        `<Message><Order><OrderItem><ItemPrice>${part('Principal', '10.00')}${part('Tax', '1.90')}</ItemPrice></OrderItem></Order></Message>`,
      ),
    )
    expect(row).toEqual({ 'OrderItem.ItemPrice.Principal': '10.00 EUR', 'OrderItem.ItemPrice.Tax': '1.90 EUR' })
  })

  test('shows text as it was before it was escaped', async () => {
    const [row] = await asObjects(
      envelope(
        '<Message><Order><a>Salt &amp; pepper &lt;&#x41;&#66;&gt;</a><b><![CDATA[<x>]]></b><c/></Order></Message>',
      ),
    )
    expect(row).toEqual({ a: 'Salt & pepper <AB>', b: '<x>', c: '' })
  })

  test('joins the values of a repeated field', async () => {
    expect(await asObjects(envelope('<Message><Order><sku>A</sku><sku>B</sku></Order></Message>'))).toEqual([
      { sku: 'A; B' },
    ])
  })

  test('of a document that ends early has the rows before its end', async () => {
    const whole = envelope('<Message><Order><a>1</a></Order><Order><a>2</a></Order></Message>')
    expect(await asObjects(whole.slice(0, whole.indexOf('2')))).toEqual([{ a: '1' }])
  })
})
