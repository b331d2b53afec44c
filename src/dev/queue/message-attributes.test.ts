import { expect, test } from 'vitest'
import { md5OfAttributes } from './message-attributes.ts'

// Digests that Amazon SQS returned.
test.each([
  ['Number', '235c5c510d26fb653d073faed50ae77c'],
  ['Number.java.lang.Long', '2e2e4876d8e0bd6b8c2c8f556831c349'],
])('the digest of an attribute of the type %s is that of SQS', (DataType, digest) => {
  expect(md5OfAttributes({ timestamp: { DataType, StringValue: '1493147359900' } })).toBe(digest)
})

test('without attributes there is no digest', () => {
  expect(md5OfAttributes({})).toBeUndefined()
})
