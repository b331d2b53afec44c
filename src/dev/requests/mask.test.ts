import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requireLinearTime } from '../../../test/support/linear-time.ts'
import { anyText, assertProperty } from '../../../test/support/property.ts'
import { maskCodes, maskHeaders, maskText } from './mask.ts'

const nest = (value: unknown) => JSON.stringify({ detail: JSON.stringify(value) })

const excerpt = (text: string) => JSON.stringify({ details: `Unexpected token 'h', "${text}" is not valid JSON` })

describe('what the request log shows', () => {
  test.each([
    ['{"client_secret": "a\\"b\\\\", "next": "c"}', '{"client_secret": "[redacted]", "next": "c"}'],
    ['{"clientSecret":"cut o', '{"clientSecret":"[redacted]'],
    ["{'client_secret': 'it\\'s hidden', 'b': 'c'}", "{'client_secret': '[redacted]', 'b': 'c'}"],
    ['{client_secret:hidden,b:c}', '{client_secret:[redacted],b:c}'],
    ['{ a: 1, client_secret : "two hidden", b: "c" }', '{ a: 1, client_secret : "[redacted]", b: "c" }'],
    ['{"client_secret": hidden words, "b": c}', '{"client_secret": [redacted], "b": c}'],
    ['{"client_secret": 123hidden, "b": c}', '{"client_secret": "[redacted]", "b": c}'],
    ['{"a":"{\\"client_secret\\": hid\\\\den\\", cut', '{"a":"{\\"client_secret\\": [redacted]\\", cut'],
    [excerpt('{"client_secret": hidden}'), excerpt('{"client_secret": [redacted]}')],
    [excerpt('..."t_secret": hidden"...'), excerpt('..."t_secret": [redacted]"...')],
    ['{"nextToken":"a","refresh_token":"b"}', '{"nextToken":"a","refresh_token":"[redacted]"}'],
    ['/d?X-Amz-Signature=a&b=c', '/d?X-Amz-Signature=[redacted]&b=c'],
    ['/d?to=%3DAtza%7Chidden&b=c', '/d?to=%3DAtza%7C[redacted]&b=c'],
    ['<Token>Atz.sprdt|a</Token>', '<Token>Atz.sprdt|[redacted]</Token>'],
    ['<a:ClientSecret x="1">hidden</a:ClientSecret>', '<a:ClientSecret x="1">[redacted]</a:ClientSecret>'],
    ['<password><![CDATA[hidden]]></password>', '<password>[redacted]</password>'],
    ['<Password>ab&amp;cdhidden</Password><a>1</a>', '<Password>[redacted]</Password><a>1</a>'],
    ['<Password>&quot;hidden</Password>', '<Password>[redacted]</Password>'],
    ['<ClientSecret>ab]hidden</ClientSecret>', '<ClientSecret>[redacted]</ClientSecret>'],
    ['<Secret><Secret>hidden</Secret>hidden</Secret><a>1</a>', '<Secret>[redacted]</Secret><a>1</a>'],
    ['<Secret a="x>y"><Value>hidden</Value></Secret>', '<Secret a="x>[redacted]</Secret>'],
    ['<Secret/><a>1</a><Secret></Secret>', '<Secret/><a>1</a><Secret></Secret>'],
    ['<Password>&lt;/Password&gt;hidden</Password>', '<Password>[redacted]</Password>'],
    ['<Secret><Value>cut o', '<Secret>[redacted]'],
    [`<client secret="it's hidden" id="1"/>`, '<client secret="[redacted]" id="1"/>'],
    [`<client secret='two hidden words' id='1'/>`, `<client secret='[redacted]' id='1'/>`],
    [`<client a:secret = 'say "hidden"'/>`, `<client a:secret = '[redacted]'/>`],
    [
      '&lt;a secret=&quot;hid&amp;den&quot; b=&quot;1&quot;/&gt;',
      '&lt;a secret=&quot;[redacted]&quot; b=&quot;1&quot;/&gt;',
    ],
    ['{"a":"\\u003cPassword\\u003ehidden\\u003c/Password\\u003e"}', '{"a":"<Password>[redacted]</Password>"}'],
    ['&lt;Password&gt;hidden&lt;/Password&gt;', '&lt;Password&gt;[redacted]&lt;/Password&gt;'],
    ['<client id="1" secret="hidden"/>', '<client id="1" secret="[redacted]"/>'],
    ['/foo/amzn1.oa2-cs.v1.5ec1/bar', '/foo/amzn1.oa2-cs.v1.[redacted]/bar'],
    ['/foo/Atza%257Chidden/bar', '/foo/Atza%257C[redacted]'],
    ['{"a":"Atzr\\u007chidden"}', '{"a":"Atzr|[redacted]"}'],
    ['{"a":"Atzr\\u007chidden","cut', '{"a":"Atzr\\u007c[redacted]","cut'],
    ['Bearer%20Atza%7Chidden', 'Bearer%20Atza%7C[redacted]'],
    ['client_secret=it\'s%20"hidden&b=1', 'client_secret=[redacted]&b=1'],
    ['&client_secret=ab"hidden&b=1', '&client_secret=[redacted]&b=1'],
    ['ids[]=1&password=my hidden pass\\<hidden', 'ids[]=1&password=[redacted]'],
    ['credentials[secret]=hidden&b=1', 'credentials[secret]=[redacted]&b=1'],
    ['/a?auth[refresh_token]=hidden&b[c]=1', '/a?auth[refresh_token]=[redacted]&b[c]=1'],
    ["see /a?client_secret='hidden'&b", 'see /a?client_secret=[redacted]&b'],
    ['client%5Fsecret=hidden&client%255Fsecret=hidden', 'client%5Fsecret=[redacted]&client%255Fsecret=[redacted]'],
    ['/a?to=%2Fb%3Fclient_secret%3Dhidden%26c', '/a?to=%2Fb%3Fclient_secret%3D[redacted]'],
    ['{"client\\u005fsecret":"hidden"}', '{"client\\u005fsecret":"[redacted]"}'],
    ['{"client_secret":["hidden", {"a":"]"}],"b":1}', '{"client_secret":"[redacted] list","b":1}'],
    ['{"refresh_token": {"value":"hidden}"},"b":1}', '{"refresh_token": "[redacted] object","b":1}'],
    ['{"client_secret":-12.5e3,"b":1}', '{"client_secret":"[redacted] number","b":1}'],
    ['{"secrets":["hidden"],"password":["cut o', '{"secrets":"[redacted]","password":"[redacted]"'],
    ['{"secrets":{"prod":"hidden"},"b":1}', '{"secrets":"[redacted] object","b":1}'],
    ['{"secrets":[["hidden"]],"b":1}', '{"secrets":"[redacted] list","b":1}'],
    ['{"credentials":[{"pass":"hidden"}],"b":1}', '{"credentials":"[redacted] list","b":1}'],
    ['{"authorizations":[{"refreshToken":"hidden"}]}', '{"authorizations":[{"refreshToken":"[redacted]"}]}'],
    ['{"authorizations":["hidden"]}', '{"authorizations":"[redacted] list"}'],
    ['/a?b=c#access_token=hidden&d=e', '/a?b=c#access_token=[redacted]&d=e'],
    ['/a?to=%2Fb%23access_token%3Dhidden', '/a?to=%2Fb%23access_token%3D[redacted]'],
    ['{a=b, client_secret=hidden}', '{a=b, client_secret=[redacted]'],
    ['{client_secret=hidden}', '{client_secret=[redacted]'],
    [
      '/a?b=%7B%22client_secret%22%3A%22hidden%22%7D&c=%7B1',
      '/a?b=%7B%22client_secret%22%3A%22%5Bredacted%5D%22%7D&c=%7B1',
    ],
    [
      'a=1&b=+%5B%7B%22token%22:%22hidden%22,%22c%22:%22%C3%A9%25%22%7D%5D&d=2',
      'a=1&b=%20%5B%7B%22token%22%3A%22%5Bredacted%5D%22%2C%22c%22%3A%22%C3%A9%25%22%7D%5D&d=2',
    ],
    ['/a?b=client_secret%3Dhidden%26c', '/a?b=client_secret%3D[redacted]'],
    ['client_id: 1\n  client_secret: hidden\nb: 2', 'client_id: 1\n  client_secret: [redacted]\nb: 2'],
    ['x-a: 1\r\nAuthorization: Bearer hidden\r\n', 'x-a: 1\r\nAuthorization: Bearer [redacted]\r\n'],
    ['b=%257B%2522client_secret%2522%253A%2522hidden%2522', 'b=%7B%22client_secret%22%3A%22%5Bredacted%5D%22'],
    ['{"tokens":["hidden"],"b":1}', '{"tokens":"[redacted] list","b":1}'],
    [nest({ client_secret: ['a"]', 1], b: 1 }), nest({ client_secret: '[redacted] list', b: 1 })],
    [nest({ client_secret: 1234 }), nest({ client_secret: '[redacted] number' })],
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

  test.each([
    'BATCH|42',
    'Watches|Men|Leather',
    'match|patch, Patna|7, LookAtza|1',
    '{ "title" : "Watches|Men" ,"n":1.0e1, "n":[ ] }',
    '{"authorizations":[{"sellerId":"A"}],"secretQueues":{"NA":"arn"},"nextToken":"a","secret":null}',
    '<client id="secret"><note>password</note></client>',
    'The secret is wrong.',
    'client_secret: must not be empty.',
    'scope=sellingpartnerapi::client_credential:rotation',
    "{'secret': null, token: true, b: 'c'}",
    "<error code='InvalidInput'/>",
  ])('shows what is no secret as it is: %s', (text) => {
    expect(maskText(text)).toBe(text)
  })

  const pieces = [
    ...[
      'secret',
      'token',
      'code',
      ' ',
      '=',
      ' secret=',
      '"',
      "'",
      '\\',
      '<',
      '>',
      '&',
      '&lt;',
      '&gt;',
      ':',
      '[',
      ']',
      '{',
      '}',
    ],
    ...[
      '1',
      ',',
      '\n',
      'Atza|',
      '%3d',
      '%26',
      '?',
      '"secret":',
      '<secret>',
      'amzn1.oa2-cs.v1.',
      '\\u0026',
      '\\u005f',
      '\0',
    ],
    '\ncontent-disposition: x; name=secret\n\n',
  ]
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join('')),
    anyText(10),
  )
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(text, tie('json'), { maxKeys: 3 }),
      tie('json').map((value) => JSON.stringify(value)),
    ),
  }))

  test('is valid JSON if the request is, also within its texts', () => {
    assertProperty(
      fc.property(json, fc.nat(2), (value, indent) => {
        const masked = JSON.parse(maskText(JSON.stringify({ value }, null, indent)))
        expect(Object.keys(masked)).toEqual(['value'])
        const nested = JSON.parse(maskText(nest({ value })))
        expect(JSON.parse(nested.detail)).toEqual(masked)
      }),
      1_000,
    )
  })

  test('never has the value of a secret member of JSON', () => {
    const hide = (value: unknown) => ({ a: ' secret=', list: [{ clientSecret: ['5ec2e7', value] }], value })
    assertProperty(
      fc.property(json, fc.nat(2), (value, indent) => {
        expect(maskText(JSON.stringify(hide(value), null, indent))).not.toContain('5ec2e7')
        expect(maskText(nest(hide(value)))).not.toContain('5ec2e7')
      }),
      500,
    )
  })

  test('is the same text if it has no secret', () => {
    const harmless = (value: string) => value.replaceAll(/secret|token|code|name=|Atza|oa2/g, 'sku')
    assertProperty(
      fc.property(json, fc.nat(2), (value, indent) => {
        // A word that makes it look for secrets.
        const written = harmless(JSON.stringify({ pageToken: 1, value }, null, indent)).replace('pagesku', 'pageToken')
        expect(maskText(written)).toBe(written)
      }),
      500,
    )
  })

  test.each([
    ['beginnings of tokens', '', 'Atz'],
    ['tokens in words', '', 'xAtza|'],
    ['one long name', '"', 'secret'],
    ['one long field', '?', 'token'],
    ['beginnings of fields', '', '&token'],
    ['encoded JSON', 'secret', '&a=%22'],
    ['encoded JSON in encoded JSON', 'secret&a=%22', 'a=%5B'],
    ['encoded values', 'secret', 'a=%41'],
    ['fields of fields', 'secret', 'a='],
    ['lines', '', '\ntoken:a b'],
    ['words of a line', '\ntoken:', 'a '],
    ['one long word of a line', 'a b\ntoken:', 'a'],
    ['beginnings of lines', 'token', '\n- - a'],
    ['quotes', 'secret', '"'],
    ['backslashes', '"secret":"', '\\'],
    ['escaped quotes', '"secret":"', '\\"'],
    ['escaped members', '', '\\"secret\\":\\"'],
    ['members without a text', '', '"secret":'],
    ['lists', '', '"secret":['],
    ['members without quotes', '', '{secret:'],
    ['members with a harmless value', '', '{secret:null '],
    ['values without quotes', '', '{secret:a\\\\"'],
    ['values without an end', '', "'secret':a\\"],
    ['single quotes', '', "'secret':'\\"],
    ['spaces before members', 'secret:', '{    '],
    ['names in brackets', '', '&[secret]'],
    ['lists of objects', '', '"authorizations":[{'],
    ['lists in texts', '', '\\"secret\\":["'],
    ['escaped names', '', '"\\u005f'],
    ['encoded names', '', '&%5f'],
    ['beginnings of elements', '', '<secret '],
    ['elements', '', '<secret></secret>'],
    ['beginnings of escaped elements', 'secret', '&lt;a '],
    ['beginnings of both', '', '&lt;secret <secret '],
    ['long names of elements', 'secret', `<${'a'.repeat(149)}`],
    ['attributes', '', ' secret="'],
    ['attributes with spaces', 'secret', ' a    =    '],
    ['parts', '', '\ncontent-disposition: form-data; name=secret'],
    ['parts with content', '', '\ncontent-disposition: form-data; name=secret\n\n\n'],
    ['names of a part', 'secret\ncontent-disposition: a', ' name=" name=a;'],
    ['beginnings of client secrets', '', 'amzn1.oa2-cs.v1.'],
    ['members with spaces', '"secret"', ' '],
    ['texts of valid JSON', '["secret"', ',"=<Atc"', ']'],
    ['texts like JSON in valid JSON', '["secret"', ',"{\\"Atc}"', ']'],
    ['objects of valid JSON', '["secret"', ',{"authorizations":[{"secret":[]}]}', ']'],
  ])(
    'takes no longer for each character of a hostile text, however long it is: %s',
    (_name, start, repeated, end = '') => {
      requireLinearTime(maskText, (length) => start + repeated.repeat(length / repeated.length) + end)
    },
  )

  test('has headers without secrets', () => {
    expect(maskHeaders({ cookie: 'a', 'x-amz-access-token': 'Atza|a', 'x-amzn-ratelimit-limit': '5' })).toEqual({
      cookie: '[redacted]',
      'x-amz-access-token': 'Atza|[redacted]',
      'x-amzn-ratelimit-limit': '5',
    })
    expect(
      maskHeaders({
        cookie: 'lwa=Atza|a; sid=hidden',
        'set-cookie': ['a=Atza|a', 'b=hidden'],
        authorization: 'Bearer Atza|a hidden',
        'x-client-secret': 'two words',
      }),
    ).toEqual({
      cookie: '[redacted]',
      'set-cookie': '[redacted]',
      authorization: 'Bearer Atza|[redacted]',
      'x-client-secret': '[redacted]',
    })
  })

  test.each(['name="client_secret"', "name*=UTF-8''client%5Fsecret", 'name=a; name="client_secret"'])(
    'has no secret field of a body of parts: %s',
    (name) => {
      const part = (field: string, content: string) =>
        `--b\r\nContent-Disposition: form-data; ${field}\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`
      const body = (secret: string) =>
        `${part('name="a"', 'shown')}${part(name, secret)}${part('name="b"', 'shown')}--b--`
      expect(maskText(body('hid\r\nden'))).toBe(body('[redacted]'))
      expect(maskText(body('-----BEGIN KEY-----\r\nhidden\r\n-----END KEY-----'))).toBe(body('[redacted]'))
      expect(maskText(part(name, 'cut o'))).toContain('\r\n\r\n[redacted]')
    },
  )
})
