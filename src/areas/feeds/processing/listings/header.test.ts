import { describe, expect, test } from 'vitest'
import { FeedError } from '../../feed-error.ts'
import { parseHeader } from './header.ts'

const SELLER = 'A1SELLER'
const good = { sellerId: SELLER, version: '2.0' }
const DATA_SETS = ['attributes', 'issues', 'offers']
const apiVersion = '2021-08-01'

function errorOf(header: unknown) {
  try {
    parseHeader(header, SELLER, DATA_SETS)
  } catch (error) {
    expect(error).toBeInstanceOf(FeedError)
    const { code, message } = error as FeedError
    return { code, message }
  }
  throw new Error('The header is valid')
}

describe('parseHeader', () => {
  test('requires only a seller and a version', () => {
    expect(parseHeader(good, SELLER, DATA_SETS)).toEqual({})
  })

  test('ignores unknown keys', () => {
    expect(parseHeader({ ...good, feedId: 1, extra: {} }, SELLER, DATA_SETS)).toEqual({})
  })

  test('reads the locale of issues; empty means default', () => {
    expect(parseHeader({ ...good, issueLocale: 'de_DE' }, SELLER, DATA_SETS)).toEqual({ issueLocale: 'de_DE' })
    expect(parseHeader({ ...good, issueLocale: '' }, SELLER, DATA_SETS)).toEqual({})
  })

  test('reads the data sets at the paths of the specification and of the public schema', () => {
    const includedData = ['issues', 'attributes']
    const expected = { includedData, report: { includedData, apiVersion } }
    expect(parseHeader({ ...good, includedData }, SELLER, DATA_SETS)).toEqual(expected)
    expect(parseHeader({ ...good, report: { includedData, apiVersion } }, SELLER, DATA_SETS)).toEqual(expected)
  })

  test('prefers the data sets under report', () => {
    const header = { ...good, includedData: ['issues'], report: { includedData: ['offers'], apiVersion } }
    expect(parseHeader(header, SELLER, DATA_SETS)).toMatchObject({ includedData: ['offers'] })
  })

  test('removes duplicate data sets', () => {
    expect(parseHeader({ ...good, includedData: ['issues', 'issues'] }, SELLER, DATA_SETS)).toMatchObject({
      includedData: ['issues'],
    })
  })

  test.each([undefined, null, '1.0', '2', 2, {}])('refuses the version %o with its own code', (version) => {
    expect(errorOf({ ...good, version })).toMatchObject({ code: '4002006', message: expect.stringContaining('2.0') })
  })

  test.each([undefined, null, '', 'A2OTHER', `${SELLER} `, 5, [SELLER]])('refuses the seller %o', (sellerId) => {
    expect(errorOf({ ...good, sellerId })).toEqual({
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
  ])('refuses %o, and names the field', (fields, field) => {
    expect(errorOf({ ...good, ...fields })).toMatchObject({ code: '4002008', message: expect.stringContaining(field) })
  })

  test.each([undefined, null, [], 'header', 5])('refuses %o as a header', (header) => {
    expect(errorOf(header)).toMatchObject({ message: 'The header must be an object.' })
  })
})
