import { beforeAll, describe, expect, test } from 'vitest'
import { buildOrder } from '../../support/orders.ts'
import {
  addSeller,
  DOCUMENTS,
  FEEDBACK,
  parseFlatFile,
  putOperatorData,
  RETURNS,
  RETURNS_FLAT_FILE,
  type ReportsClient,
  TO_SHIP,
} from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { childrenOf, parseXml, type XmlElement } from '../../support/xml.ts'

const SELLER = 'A3HOSTILE'

/** Text as users write it, and its form in XML and in flat files if that differs. */
const texts: { written: string; xml?: string; flat?: string }[] = [
  { written: `<b>&amp;</b> "double" 'single' ]]> <![CDATA[x]]> <!-- <?xml?> &#0; &unknown;` },
  { written: 'tab\there', flat: 'tab here' },
  { written: 'line\nfeed', flat: 'line feed' },
  { written: 'carriage\rreturn', flat: 'carriage return' },
  { written: 'both\r\n\r\n\tof them', flat: 'both of them' },
  { written: '\n\tat the ends\r\n', flat: 'at the ends' },
  { written: 'bell\u0007, escape\u001b[31m', xml: 'bell, escape[31m', flat: 'bell , escape [31m' },
  { written: 'vertical\u000b, form\u000c', xml: 'vertical, form', flat: 'vertical , form' },
  { written: '\u0001\u0002', xml: '', flat: '' },
  { written: 'delete\u007f, next line\u0085', flat: 'delete , next line' },
  { written: 'separators\u2028of\u2029lines', flat: 'separators of lines' },
  { written: 'no characters \ufffe\uffff', xml: 'no characters ' },
  { written: '\ufeffmark, zero\u200bwidth, \u202eright to left' },
  { written: '👟 👩‍👩‍👧 e\u0301 ümläut 靴 \u{10ffff}' },
  { written: '=1+1, @x, -2, "quoted", half"quoted' },
  { written: ' spaces  stay ' },
  { written: '\\t \\n %09 $x {{x}}' },
]

let souk: TestSouk
let client: ReportsClient

const orderId = (index: number) => `900-0000000-${String(index).padStart(7, '0')}`
const purchasedAt = (index: number) => `2026-05-20T10:00:${String(index).padStart(2, '0')}.000Z`

beforeAll(async () => {
  souk = await startTestSouk()
  client = await addSeller(souk, SELLER)
  await putOperatorData(souk, {
    orders: texts.map(({ written }, index) =>
      buildOrder(souk.clock.now(), {
        sellerId: SELLER,
        orderId: orderId(index),
        status: 'PartiallyShipped',
        purchasedAt: purchasedAt(index),
        shipServiceLevel: written,
        shipTo: { city: written, stateOrRegion: written, postalCode: written },
        items: [
          {
            orderItemId: '1',
            sku: written,
            asin: 'B0TEST0001',
            title: written,
            quantity: 2,
            quantityShipped: 1,
            priceMinor: 1,
          },
        ],
      }),
    ),
    returns: texts.map(({ written }, index) => ({
      sellerId: SELLER,
      rmaId: `R-${index}`,
      orderId: orderId(index),
      requestedAt: purchasedAt(index),
      status: 'Approved',
      merchantRmaId: written,
      invoiceNumber: written,
      label: { carrier: written, trackingId: written },
      items: [{ orderItemId: '1', quantity: 1, reasonCode: 'CR-DEFECTIVE', category: written }],
    })),
    feedback: texts.map(({ written }, index) => ({
      sellerId: SELLER,
      orderId: orderId(index),
      submittedAt: purchasedAt(index),
      rating: 1,
      comment: written,
      response: written,
    })),
  })
})

/** The text of all descendant elements with that name. */
function textsOf(element: XmlElement, name: string): string[] {
  return [
    ...childrenOf(element, name).map((child) => child.text),
    ...element.children.flatMap((child) => textsOf(child, name)),
  ]
}

describe('with hostile text', () => {
  test.each<[string, string[]]>([
    [
      RETURNS,
      ['item_name', 'merchant_sku', 'category', 'merchant_rma_id', 'invoice_number', 'tracking_id', 'return_carrier'],
    ],
    [
      'GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
      ['ProductName', 'SKU', 'City', 'State', 'PostalCode', 'ShipServiceLevel'],
    ],
  ])('%s is valid XML, and a parser returns the same text', async (reportType, names) => {
    const document = parseXml(await client.text({ reportType }))
    for (const name of names) {
      expect(textsOf(document, name), name).toEqual(texts.map(({ written, xml }) => xml ?? written))
    }
  })

  test.each<[string, string[]]>([
    [
      RETURNS_FLAT_FILE,
      ['Item Name', 'Merchant SKU', 'Merchant RMA ID', 'Invoice number', 'Return carrier', 'Tracking ID'],
    ],
    [
      'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
      ['product-name', 'sku', 'ship-city', 'ship-state', 'ship-postal-code', 'ship-service-level'],
    ],
    [TO_SHIP, ['product-name', 'sku', 'ship-city', 'ship-state', 'ship-postal-code', 'ship-service-level']],
    [FEEDBACK, ['Comments', 'Response']],
  ])('%s has the same number of columns in every line', async (reportType, names) => {
    const token = (
      await client.post('/tokens/2021-03-01/restrictedDataToken', {
        restrictedResources: [{ method: 'GET', path: `${DOCUMENTS}/{reportDocumentId}` }],
      })
    ).json().restrictedDataToken
    const [headings = [], ...rows] = parseFlatFile(await client.text({ reportType }, token))
    expect(rows.map((row) => row.length)).toEqual(texts.map(() => headings.length))
    for (const name of names) {
      const column = rows.map((row) => row[headings.indexOf(name)])
      expect(column, name).toEqual(texts.map(({ written, flat }) => flat ?? written))
    }
  })
})
