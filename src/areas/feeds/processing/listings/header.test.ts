import { describe, expect, test } from 'vitest'
import { FeedError } from '../../feed-error.ts'
import { parseHeader } from './header.ts'

const SELLER = 'A1SELLER'
const good = { sellerId: SELLER, version: '2.0' }
const DATA_SETS = ['attributes', 'issues', 'offers']
const apiVersion = '2021-08-01'

function faultOf(header: unknown) {
  try {
    parseHeader(header, SELLER, DATA_SETS)
  } catch (error) {
    expect(error).toBeInstanceOf(FeedError)
    const { code, message } = error as FeedError
    return { code, message }
  }
  throw new Error('It is a header')
}

describe('readHeader', () => {
  test('needs a seller and a version, and no more', () => {
    expect(parseHeader(good, SELLER, DATA_SETS)).toEqual({})
  })

  test('ignores keys that nobody knows', () => {
    expect(parseHeader({ ...good, feedId: 1, extra: {} }, SELLER, DATA_SETS)).toEqual({})
  })

  test('reads the language of issues; empty is none', () => {
    expect(parseHeader({ ...good, issueLocale: 'de_DE' }, SELLER, DATA_SETS)).toEqual({ issueLocale: 'de_DE' })
    expect(parseHeader({ ...good, issueLocale: '' }, SELLER, DATA_SETS)).toEqual({})
  })

  test('reads the data sets where the specification has them and where the public schema has them', () => {
    const includedData = ['issues', 'attributes']
    const expected = { includedData, report: { includedData, apiVersion } }
    expect(parseHeader({ ...good, includedData }, SELLER, DATA_SETS)).toEqual(expected)
    expect(parseHeader({ ...good, report: { includedData, apiVersion } }, SELLER, DATA_SETS)).toEqual(expected)
  })

  test('takes those under report where there are both', () => {
    const header = { ...good, includedData: ['issues'], report: { includedData: ['offers'], apiVersion } }
    expect(parseHeader(header, SELLER, DATA_SETS)).toMatchObject({ includedData: ['offers'] })
  })

  test('takes each data set once', () => {
    expect(parseHeader({ ...good, includedData: ['issues', 'issues'] }, SELLER, DATA_SETS)).toMatchObject({
      includedData: ['issues'],
    })
  })

  test.each([undefined, null, '1.0', '2', 2, {}])('refuses the version %o with a code of its own', (version) => {
    expect(faultOf({ ...good, version })).toMatchObject({ code: '4002006', message: expect.stringContaining('2.0') })
  })

  test.each([undefined, null, '', 'A2OTHER', `${SELLER} `, 5, [SELLER]])('refuses the seller %o', (sellerId) => {
    expect(faultOf({ ...good, sellerId })).toEqual({
      code: 'BAD_REQUEST',
      message: `Invalid 'accountId' provided. The header's sellerId must be ${SELLER}.`,
    })
  })

  test.each([
    [{ issueLocale: null }, 'issueLocale'],
    [{ issueLocale: ['en_US'] }, 'issueLocale'],
    [{ includedData: [] }, 'includedData'],
    [{ includedData: ['everything'] }, 'includedData'],
    [{ includedData: [1] }, 'includedData'],
    [{ includedData: { issues: true } }, 'includedData'],
    [{ report: null }, 'report'],
    [{ report: [] }, 'report'],
    [{ report: { includedData: ['issues'] } }, 'apiVersion'],
    [{ report: { includedData: [], apiVersion } }, 'report.includedData'],
  ])('refuses %o, and names the place', (fields, place) => {
    expect(faultOf({ ...good, ...fields })).toMatchObject({ code: '4002008', message: expect.stringContaining(place) })
  })

  test.each([undefined, null, [], 'header', 5])('refuses %o for a header', (header) => {
    expect(faultOf(header)).toMatchObject({ message: 'The header must be an object.' })
  })
})
