import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { parseTrustedProxies } from './trusted-proxies.ts'

test('trusted proxies are addresses, networks and names of networks, and Fastify takes them', () => {
  const proxies = parseTrustedProxies(
    '10.0.0.5, 10.1.0.0/16,fd00::/8 , 2001:db8::1,loopback,linklocal,uniquelocal',
    'X',
  )
  expect(proxies).toHaveLength(7)
  expect(() => fastify({ trustProxy: [...proxies] })).not.toThrow()
  expect(parseTrustedProxies(undefined, 'X')).toEqual([])
  expect(parseTrustedProxies('', 'X')).toEqual([])
})

test.each([
  '1',
  'true',
  '*',
  'proxy.example',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0',
  '10.0.0.1,',
  'fe80::1%eth0',
  '10.0.0.0/08',
])('the trusted proxy "%s" is refused', (text) => {
  expect(() => parseTrustedProxies(text, 'SOUK_TRUSTED_PROXIES')).toThrow(ConfigError)
  expect(() => parseTrustedProxies(text, 'SOUK_TRUSTED_PROXIES')).toThrow(
    /^SOUK_TRUSTED_PROXIES must list IP addresses and networks such as .*, not ".*"\.$/,
  )
})

test('at most 100 proxies are trusted', () => {
  const many = (count: number) => Array.from({ length: count }, () => '10.0.0.1').join(',')
  expect(parseTrustedProxies(many(100), 'X')).toHaveLength(100)
  expect(() => parseTrustedProxies(many(101), 'X')).toThrow('X must not have more than 100 addresses.')
})
