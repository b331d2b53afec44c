import { beforeAll, describe, expect, test } from 'vitest'
import { reportTypes } from '../../../src/areas/reports/types/index.ts'
import { DE, JP, REPORTS, RETURNS, ReportsClient, US } from '../../support/reports.ts'
import { errorOf, reasonOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: ReportsClient

beforeAll(async () => {
  souk = await startTestSouk()
  client = new ReportsClient(souk)
  await client.finished()
})

const good = { reportType: RETURNS, marketplaceIds: [US] }
const written = () => client.reports(`reportTypes=${RETURNS}&pageSize=100`)

/** Sends a body, expects a refusal, and that nothing was written. */
async function refusal(payload: unknown, contentType = 'application/json') {
  const before = await written()
  const headers = { 'content-type': contentType }
  const response = await client.send('POST', REPORTS, { headers, payload: payload as string })
  const error = errorOf(response)
  expect(await written()).toEqual(before)
  return error
}

describe('createReport refuses, and writes nothing,', () => {
  test.each([
    'GET_NOTHING',
    'get_xml_returns_data_by_return_date',
    `${RETURNS} `,
    'toString',
    '__proto__',
    'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE',
  ])('the report type %o, and says that it is invalid', async (reportType) => {
    expect(await refusal({ ...good, reportType })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('invalid report type'),
    })
  })

  test('an unknown report type, and names the known ones in a header, the nearest first', async () => {
    const payload = { ...good, reportType: 'GET_XML_RETURN_DATA_BY_RETURN_DATE' }
    const response = await client.send('POST', REPORTS, { payload })
    expect(errorOf(response)).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: 'The request has an invalid report type.',
      details: '',
    })
    expect(reasonOf(response)).toContain('docs/reports.md')
    const names = reasonOf(response).match(/GET_[A-Z_0-9]+/g)
    expect(names?.slice(0, 2)).toEqual([payload.reportType, RETURNS])
    expect(new Set(names)).toEqual(new Set([payload.reportType, ...reportTypes.keys()]))
  })

  test.each<[string, unknown, string]>([
    ['no report type', { marketplaceIds: [US] }, 'reportType'],
    ['an empty report type', { ...good, reportType: '' }, 'reportType'],
    ['a report type that is a number', { ...good, reportType: 1 }, 'reportType'],
    ['a report type that is nothing', { ...good, reportType: null }, 'reportType'],
    ['a report type of 101 characters', { ...good, reportType: 'G'.repeat(101) }, 'reportType'],
    ['no marketplaces', { reportType: RETURNS }, 'marketplaceIds'],
    ['an empty list of marketplaces', { ...good, marketplaceIds: [] }, 'marketplaceIds'],
    ['26 marketplaces', { ...good, marketplaceIds: Array(26).fill(US) }, 'marketplaceIds'],
    ['marketplaces that are no list', { ...good, marketplaceIds: US }, 'marketplaceIds'],
    ['marketplaces that are nothing', { ...good, marketplaceIds: null }, 'marketplaceIds'],
    ['a marketplace that is a number', { ...good, marketplaceIds: [1] }, 'marketplaceIds[0]'],
    ['a marketplace that is no id', { ...good, marketplaceIds: [US, 'a b'] }, 'marketplaceIds[1]'],
    ['a marketplace that does not exist', { ...good, marketplaceIds: [US, 'A1NOWHERE'] }, 'marketplaceIds'],
    ['options that are a list', { ...good, reportOptions: [] }, 'reportOptions'],
    ['options that are text', { ...good, reportOptions: 'a=b' }, 'reportOptions'],
    ['options that are nothing', { ...good, reportOptions: null }, 'reportOptions'],
    ['an option that is no text', { ...good, reportOptions: { a: 1 } }, 'reportOptions.a'],
    ['an option that is an object', { ...good, reportOptions: { a: {} } }, 'reportOptions.a'],
    ['51 options', { ...good, reportOptions: Object.fromEntries(Array(51).fill('').entries()) }, 'reportOptions'],
  ])('%s, and names the place', async (_what, payload, place) => {
    expect(await refusal(JSON.stringify(payload))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(`[${place}]`),
      details: expect.not.stringMatching(/^$/),
    })
  })

  test.each([
    'yesterday',
    '',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-05-20T25:00:00Z',
    '2026-05-20T10:61:00Z',
    '2026-05-20T10:00:00+99:00',
    '2026-05-20 10:00',
    '20260520',
    '2026-W20',
    '05/20/2026',
    '2026-05-20Z',
    ' 2026-05-20',
    '2026-05-20T10:00:00Z; drop table reports',
    1_779_271_200,
    null,
    true,
    {},
    ['2026-05-20'],
  ])('%o for a time', async (time) => {
    for (const name of ['dataStartTime', 'dataEndTime']) {
      expect(await refusal({ ...good, [name]: time })).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        message: expect.stringContaining(name),
      })
    }
  })

  test.each([
    { dataStartTime: '2026-05-20T00:00:01Z', dataEndTime: '2026-05-20T00:00:00Z' },
    { dataStartTime: '2026-05-20T02:00:00+01:00', dataEndTime: '2026-05-20T02:00:00+02:00' },
    { dataStartTime: '2026-06-02' },
  ])('a start after the end: %o', async (window) => {
    expect(await refusal({ ...good, ...window })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('dataStartTime'),
    })
  })

  test.each<[string, string[]]>([
    ['alone', [JP]],
    ["beside the seller's own", [US, JP, DE]],
  ])('a marketplace in which the seller does not sell, %s, with 403', async (_how, marketplaceIds) => {
    expect(await refusal({ ...good, marketplaceIds })).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining(JP),
    })
  })

  test.each([
    ['that is a list', '[]'],
    ['that is text', '"reportType"'],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['that is true', 'true'],
    ['without anything in it', '{}'],
    ['that is empty', ''],
    ['that ends too early', '{"reportType":'],
    ['with the same key twice', '{"reportType":"a","reportType":"b","marketplaceIds":["ATVPDKIKX0DER"]}'],
    ['with the character NUL', JSON.stringify({ ...good, reportOptions: { a: '\0' } })],
  ])('a body %s', async (_what, payload) => {
    expect(await refusal(payload)).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('a request without a body', async () => {
    expect(errorOf(await client.send('POST', REPORTS))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('a body that is not said to be JSON', async () => {
    expect(await refusal(JSON.stringify(good), 'text/plain')).toMatchObject({ status: 415 })
  })
})
