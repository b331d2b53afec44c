import { describe, expect, test } from 'vitest'
import { createFindTarget, readTargets } from './targets.ts'

const API = 'sellingpartnerapi-na.amazon.com'
const QUEUE = 'sqs.us-east-1.amazonaws.com'

const portsOf = (env: Record<string, string>) => {
  const targetOf = createFindTarget(env)
  return [targetOf(API)?.port, targetOf(QUEUE)?.port]
}

describe('the targets of the redirect', () => {
  test('are the ports of souk dev by default', () => {
    expect(readTargets({})).toMatchObject({ url: 'http://127.0.0.1:4700', queueUrl: 'http://127.0.0.1:4701' })
    expect(portsOf({})).toEqual([4700, 4701])
    expect(portsOf({ SOUK_URL: '', SOUK_QUEUE_URL: '', AWS_ENDPOINT_URL_SQS: '' })).toEqual([4700, 4701])
  })

  test('follow SOUK_URL, and SOUK_QUEUE_URL before AWS_ENDPOINT_URL_SQS', () => {
    const env = { SOUK_URL: 'http://souk:80', SOUK_QUEUE_URL: 'http://queue:1', AWS_ENDPOINT_URL_SQS: 'http://aws:2' }
    expect(portsOf({ SOUK_URL: 'http://127.0.0.1:5000' })).toEqual([5000, 5001])
    expect(portsOf({ SOUK_URL: env.SOUK_URL })).toEqual([80, 81])
    expect(portsOf({ AWS_ENDPOINT_URL_SQS: env.AWS_ENDPOINT_URL_SQS })).toEqual([4700, 2])
    expect(portsOf(env)).toEqual([80, 1])
    expect(portsOf({ SOUK_URL: 'http://127.0.0.1:65535' })).toEqual([65535, 1])
  })

  test('follow a variable that is set later', () => {
    const env: Record<string, string> = {}
    const targetOf = createFindTarget(env)
    env.SOUK_URL = 'http://127.0.0.1:5000'
    expect([targetOf(API)?.port, targetOf(QUEUE)?.port]).toEqual([5000, 5001])
  })

  test('may be an IPv6 address', () => {
    const targetOf = createFindTarget({ SOUK_URL: 'http://[::1]:4800/' })
    expect(targetOf(API)).toEqual({ hostname: '::1', port: 4800, url: 'http://[::1]:4800', service: 'api' })
    expect(targetOf(QUEUE)).toMatchObject({ hostname: '::1', port: 4801, url: 'http://[::1]:4801' })
  })

  test.each([undefined, 443, '', 'example.com', '127.0.0.1', {}])('do not include %j', (host) => {
    expect(createFindTarget({})(host)).toBeUndefined()
  })

  test.each([
    'https://127.0.0.1:4700',
    'http://127.0.0.1:4700/path',
    'http://a?b',
    '127.0.0.1:4700',
    'souk',
    'http://',
  ])('cannot be %s', (text) => {
    for (const name of ['SOUK_URL', 'SOUK_QUEUE_URL', 'AWS_ENDPOINT_URL_SQS']) {
      expect(() => readTargets({ [name]: text })).toThrow(
        `${name} must be an http address without a path, such as http://127.0.0.1:4700, not "${text}".`,
      )
    }
  })
})
