import { describe, expect, test } from 'vitest'
import { parseMd5, parseResource } from './upload.ts'

describe('the MD5 of an upload', () => {
  test('may be in hex or in Base64', () => {
    expect(parseMd5('5d41402abc4b2a76b9719d911017c592')).toBe('XUFAKrxLKna5cZ2REBfFkg==')
    expect(parseMd5('5D41402ABC4B2A76B9719D911017C592')).toBe('XUFAKrxLKna5cZ2REBfFkg==')
    expect(parseMd5('XUFAKrxLKna5cZ2REBfFkg==')).toBe('XUFAKrxLKna5cZ2REBfFkg==')
  })

  test.each([
    '',
    'x',
    '5d41402a',
    'XUFAKrxLKna5cZ2REBfFkg',
    'XUFAKrxLKna5cZ2REBfFkh==',
    'XUFAKrxLKna5cZ2REBfFkg==\r\nx: y',
  ])('%j is refused', (text) => {
    expect(parseMd5(text)).toBeUndefined()
  })
})

describe('the resource of an upload', () => {
  test.each([
    ['aplus/2020-11-01/contentDocuments', 'aplus/2020-11-01/contentDocuments'],
    [
      '/messaging/v1/orders/123-1234567-1234567/messages/legalDisclosure',
      'messaging/v1/orders/123-1234567-1234567/messages/legalDisclosure',
    ],
  ])('%s is an operation with uploads', (text, resource) => {
    expect(parseResource(text)).toBe(resource)
  })

  test.each([
    '',
    '/',
    'aplus',
    'messaging/v1/orders/1/messages',
    'messaging/v1/orders/1/../messages/x',
    '//aplus/2020-11-01/contentDocuments',
  ])('%j is not', (text) => {
    expect(parseResource(text)).toBeUndefined()
  })
})
