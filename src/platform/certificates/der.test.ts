import { expect, test } from 'vitest'
import { integer, objectIdentifier, octetString, time } from './der.ts'

const hex = (der: Uint8Array) => Buffer.from(der).toString('hex')

test.each([
  [[0], '020100'],
  [[0, 0, 1], '020101'],
  [[0x7f], '02017f'],
  [[0x80], '02020080'],
  [[0xff, 0xff], '020300ffff'],
])('the number with the bytes %j is %s: positive, and without leading zeros', (bytes, encoded) => {
  expect(hex(integer(Uint8Array.from(bytes)))).toBe(encoded)
})

test('an object identifier has digits of seven bits', () => {
  expect(hex(objectIdentifier('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302')
  expect(hex(objectIdentifier('2.5.29.17'))).toBe('0603551d11')
})

test.each([
  [127, '047f'],
  [128, '048180'],
  [255, '0481ff'],
  [256, '04820100'],
  [70_000, '0483011170'],
])('%i bytes have the header %s', (length, header) => {
  expect(hex(octetString(Buffer.alloc(length))).slice(0, header.length)).toBe(header)
})

test('a time has two digits of the year until 2049, and four from 2050 on', () => {
  expect(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1')).toBe('\x17\r491231235959Z')
  expect(time(new Date('2050-01-01T00:00:00.000Z')).toString('latin1')).toBe('\x18\x0f20500101000000Z')
})
