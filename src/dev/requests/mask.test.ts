import { describe, expect, test } from 'vitest'
import { maskCodes, maskHeaders, maskText } from './mask.ts'

const nest = (value: unknown) => JSON.stringify({ detail: JSON.stringify(value) })

describe('what the request log shows', () => {
  test.each([
    ['{"client_secret": "a\\"b\\\\", "next": "c"}', '{"client_secret": "[redacted]", "next": "c"}'],
    ['{"clientSecret":"cut o', '{"clientSecret":"[redacted]'],
    ['{"nextToken":"a","refresh_token":"b"}', '{"nextToken":"a","refresh_token":"[redacted]"}'],
    ['/d?X-Amz-Signature=a&b=c', '/d?X-Amz-Signature=[redacted]&b=c'],
    ['/d?to=%3DAtza%7Chidden&b=c', '/d?to=%3DAtza%7C[redacted]&b=c'],
    ['<Token>Atz.sprdt|a</Token>', '<Token>Atz.sprdt|[redacted]</Token>'],
    [nest({ client_secret: 'a"b\\', left: 1 }), nest({ client_secret: '[redacted]', left: 1 })],
    [nest(nest({ password: 'a"b' })), nest(nest({ password: '[redacted]' }))],
  ])('has no secret: %s', (text, shown) => {
    expect(maskText(text)).toBe(shown)
  })

  test('has no authorization code, where a code is one', () => {
    expect(maskCodes('{"code":"a","expiresInSeconds":300}')).toBe('{"code":"[redacted]","expiresInSeconds":300}')
    expect(maskCodes('grant_type=authorization_code&code=a')).toBe('grant_type=authorization_code&code=[redacted]')
    expect(maskText('/callback?state=1&spapi_oauth_code=a&code=b')).toBe(
      '/callback?state=1&spapi_oauth_code=[redacted]&code=[redacted]',
    )
    expect(maskText('{"code":"InvalidInput"}')).toBe('{"code":"InvalidInput"}')
  })

  test.each(['\\"secret\\":\\\\', '\\"secret\\\\\\":\\"', '"secret":', '"secret":"', '\\"secret":\\"', 'secret"'])(
    'is valid JSON if the request is: %s',
    (text) => {
      const value = { [text]: text, other: [text, 'b', { c: `${text}"`, [`${text}\\`]: 1 }] }
      expect(() => JSON.parse(maskText(JSON.stringify(value)))).not.toThrow()
      expect(() => JSON.parse(maskText(nest(value)))).not.toThrow()
    },
  )

  const LENGTH = 64 * 1024
  const repeat = (text: string) => text.repeat(LENGTH / text.length)

  test.each([
    ['beginnings of tokens', repeat('Atz')],
    ['one long name', `"${repeat('secret')}`],
    ['one long field', `?${repeat('token')}`],
    ['beginnings of fields', repeat('&token')],
    ['quotes', repeat('"')],
    ['backslashes', `"secret":"${repeat('\\')}`],
    ['escaped quotes', `"secret":"${repeat('\\"')}`],
    ['escaped members', repeat('\\"secret\\":\\"')],
    ['members without a text', repeat('"secret":')],
    ['members with spaces', `"secret"${repeat(' ')}`],
  ])('takes no longer for hostile texts: %s', (_name, hostile) => {
    const harmless = JSON.stringify({ members: Array.from({ length: 2_000 }, (_, index) => ({ sku: `SKU-${index}` })) })
    const take = (text: string) => {
      const before = process.cpuUsage()
      for (let count = 0; count < 5; count++) maskText(text)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    take(harmless)
    // Reading the rest of the text at each place would take a thousand times as long.
    expect(take(hostile)).toBeLessThan(50 * Math.max(take(harmless), 1_000))
  })

  test('has headers without secrets', () => {
    expect(maskHeaders({ cookie: 'a', 'x-amz-access-token': 'Atza|a', 'x-amzn-ratelimit-limit': '5' })).toEqual({
      cookie: '[redacted]',
      'x-amz-access-token': 'Atza|[redacted]',
      'x-amzn-ratelimit-limit': '5',
    })
  })
})
