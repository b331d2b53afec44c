import { expect, test } from 'vitest'
import { createControlAddresses } from './control-host.ts'

const ADDRESSES = [
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '::ffff:127.0.0.1',
  '192.168.1.5',
  '::ffff:192.168.1.5',
  '2001:db8::5',
]
const LOOPBACK = ADDRESSES.slice(0, 4)

test.each([
  [undefined, LOOPBACK],
  ['127.0.0.1', LOOPBACK],
  ['localhost', LOOPBACK],
  ['192.168.1.5', [...LOOPBACK, '192.168.1.5', '::ffff:192.168.1.5']],
  ['2001:db8::5', [...LOOPBACK, '2001:db8::5']],
  ['0.0.0.0', ADDRESSES],
  ['::', ADDRESSES],
])('with the control host %s, the control plane is served at %j', (controlHost, served) => {
  expect(ADDRESSES.filter(createControlAddresses(controlHost))).toEqual(served)
})

test('a connection without an address, because it is closed, is not served', () => {
  expect(createControlAddresses(undefined)(undefined)).toBe(false)
  expect(createControlAddresses('192.168.1.5')(undefined)).toBe(false)
})
