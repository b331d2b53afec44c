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

/** Sends a body, checks that no report was created, and returns the error. */
async function refused(payload: unknown, contentType = 'application/json') {
  const before = await written()
  const headers = { 'content-type': contentType }
  const response = await client.send('POST', REPORTS, { headers, payload: payload as string })
  const error = errorOf(response)
  expect(await written()).toEqual(before)
  return error
}

describe('createReport refuses, without creating a report,', () => {
  test.each([
    'GET_NOTHING',
    'get_xml_returns_data_by_return_date',
    `${RETURNS} `,
    'toString',
    '__proto__',
    'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE',
  ])('the invalid report type %o', async (reportType) => {
    expect(await refused({ ...good, reportType })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('invalid report type'),
    })
  })

  test('an unknown report type, and lists the known types in a header, the most similar first', async () => {
    const payload = { ...good, reportType: 'GET_XML_RETURN_DATA_BY_RETURN_DATE' }
    const response = await client.send('POST', REPORTS, { payload })
    expect(errorOf(response)).toEqual({
      status: 400,
      code: 'InvalidInput',
      message: 'The request has an invalid report type.',
      details: '',
    })
    const names = reasonOf(response).match(/GET_[A-Z_0-9]+/g)
    expect(names?.slice(0, 2)).toEqual([payload.reportType, RETURNS])
    expect(new Set(names)).toEqual(new Set([payload.reportType, ...reportTypes.keys()]))
  })

  test.each<[string, unknown, string]>([
    ['no report type', { marketplaceIds: [US] }, 'reportType'],
    ['an empty report type', { ...good, reportType: '' }, 'reportType'],
    ['a report type that is a number', { ...good, reportType: 1 }, 'reportType'],
    ['a report type that is null', { ...good, reportType: null }, 'reportType'],
    ['a report type of 101 characters', { ...good, reportType: 'G'.repeat(101) }, 'reportType'],
    ['no marketplaces', { reportType: RETURNS }, 'marketplaceIds'],
    ['an empty list of marketplaces', { ...good, marketplaceIds: [] }, 'marketplaceIds'],
    ['26 marketplaces', { ...good, marketplaceIds: Array(26).fill(US) }, 'marketplaceIds'],
    ['marketplaces that are not a list', { ...good, marketplaceIds: US }, 'marketplaceIds'],
    ['marketplaces that are null', { ...good, marketplaceIds: null }, 'marketplaceIds'],
    ['a marketplace that is a number', { ...good, marketplaceIds: [1] }, 'marketplaceIds[0]'],
    ['a marketplace that is not an id', { ...good, marketplaceIds: [US, 'a b'] }, 'marketplaceIds[1]'],
    ['a marketplace that does not exist', { ...good, marketplaceIds: [US, 'A1NOWHERE'] }, 'marketplaceIds'],
    ['options that are a list', { ...good, reportOptions: [] }, 'reportOptions'],
    ['options that are a string', { ...good, reportOptions: 'a=b' }, 'reportOptions'],
    ['options that are null', { ...good, reportOptions: null }, 'reportOptions'],
    ['an option that is a number', { ...good, reportOptions: { a: 1 } }, 'reportOptions.a'],
    ['an option that is an object', { ...good, reportOptions: { a: {} } }, 'reportOptions.a'],
    ['51 options', { ...good, reportOptions: Object.fromEntries(Array(51).fill('').entries()) }, 'reportOptions'],
  ])('%s, and names the field', async (_what, payload, field) => {
    expect(await refused(JSON.stringify(payload))).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining(`[${field}]`),
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
  ])('the invalid time %o', async (time) => {
    for (const name of ['dataStartTime', 'dataEndTime']) {
      expect(await refused({ ...good, [name]: time })).toMatchObject({
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
    expect(await refused({ ...good, ...window })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      message: expect.stringContaining('dataStartTime'),
    })
  })

  test.each<[string, string[]]>([
    ['alone', [JP]],
    ["together with the seller's own", [US, JP, DE]],
  ])('a marketplace in which the seller does not participate, %s, with 403', async (_how, marketplaceIds) => {
    expect(await refused({ ...good, marketplaceIds })).toMatchObject({
      status: 403,
      code: 'Unauthorized',
      details: expect.stringContaining(JP),
    })
  })

  test.each([
    ['that is a list', '[]'],
    ['that is a string', '"reportType"'],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['that is true', 'true'],
    ['that is an empty object', '{}'],
    ['that is empty', ''],
    ['that is truncated', '{"reportType":'],
    ['with a duplicate key', '{"reportType":"a","reportType":"b","marketplaceIds":["ATVPDKIKX0DER"]}'],
    ['with a NUL character', JSON.stringify({ ...good, reportOptions: { a: '\0' } })],
  ])('a body %s', async (_what, payload) => {
    expect(await refused(payload)).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('a request without a body', async () => {
    expect(errorOf(await client.send('POST', REPORTS))).toMatchObject({ status: 400, code: 'InvalidInput' })
  })

  test('a body with a content type other than JSON', async () => {
    expect(await refused(JSON.stringify(good), 'text/plain')).toMatchObject({ status: 415 })
  })
})
