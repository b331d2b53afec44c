import { describe, expect, test } from 'vitest'
import { documentsHostOf, VENDOR_DOMAINS, vendorServiceOf } from './vendor-hosts.ts'

const HOSTS = {
  api: [
    'sellingpartnerapi-na.amazon.com',
    'sellingpartnerapi-eu.amazon.com',
    'sellingpartnerapi-fe.amazon.com',
    'sandbox.sellingpartnerapi-na.amazon.com',
    'sandbox.sellingpartnerapi-eu.amazon.com',
    'sandbox.sellingpartnerapi-fe.amazon.com',
  ],
  token: ['api.amazon.com', 'api.amazon.co.uk', 'api.amazon.co.jp', 'api.amazon.cn'],
  documents: [
    's3.amazonaws.com',
    'bucket.s3.amazonaws.com',
    'tortuga-prod-na.s3-external-1.amazonaws.com',
    'tortuga-prod-eu.s3-eu-west-1.amazonaws.com',
    's3-us-west-2.amazonaws.com',
    's3.us-gov-west-1.amazonaws.com',
    'bucket.s3.ap-southeast-7.amazonaws.com',
    's3.dualstack.eu-west-1.amazonaws.com',
    'bucket.s3.dualstack.eu-west-1.amazonaws.com',
    'bucket.s3-fips.us-east-1.amazonaws.com',
    'bucket.s3-fips.dualstack.us-east-1.amazonaws.com',
    'bucket.s3-accelerate.amazonaws.com',
    'bucket.s3-accelerate.dualstack.amazonaws.com',
    'bucket.s3.cn-north-1.amazonaws.com.cn',
  ],
  queue: [
    'sqs.us-east-1.amazonaws.com',
    'sqs-fips.us-east-1.amazonaws.com',
    'eu-west-1.queue.amazonaws.com',
    'queue.amazonaws.com',
    'sqs.cn-north-1.amazonaws.com.cn',
    'cn-northwest-1.queue.amazonaws.com.cn',
    'sqs.eu-central-1.api.aws',
    'sqs.cn-north-1.api.amazonwebservices.com.cn',
  ],
}
const cases = Object.entries(HOSTS).flatMap(([service, hosts]) => hosts.map((host) => [host, service] as const))

describe('hosts of the vendor', () => {
  test.each(cases)('%s is a host of the service "%s"', (host, service) => {
    expect(vendorServiceOf(host)).toBe(service)
  })

  test.each([
    'SellingPartnerAPI-NA.Amazon.Com',
    'sellingpartnerapi-na.amazon.com.',
    'sellingpartnerapi-na.amazon.com:443',
    'sellingpartnerapi-na.amazon.com.:443',
  ])('another spelling is the same host: %s', (host) => {
    expect(vendorServiceOf(host)).toBe('api')
  })

  test('a bucket may have dots in its name', () => {
    expect(vendorServiceOf('my.own.bucket.s3.eu-west-1.amazonaws.com')).toBe('documents')
  })

  test.each([
    '',
    '.',
    ':443',
    'evil-amazon.com',
    'amazon.com',
    'www.amazon.com',
    'sellingpartnerapi-na.amazon.com.evil.com',
    'evil.sellingpartnerapi-na.amazon.com',
    'evilsellingpartnerapi-na.amazon.com',
    'sellingpartnerapi-na-amazon.com',
    'sellingpartnerapi-xx.amazon.com',
    'sellingpartnerapi-na.amazon.com..',
    'sellingpartnerapi-na.amazon.com@evil.com',
    'evil.com/sellingpartnerapi-na.amazon.com',
    'evil.com\n.s3.amazonaws.com',
    's3.amazonaws.com\n',
    'user@bucket.s3.amazonaws.com',
    'evil/bucket.s3.amazonaws.com',
    'evils3.amazonaws.com',
    's3xamazonaws.com',
    's3.amazonaws.com.evil.com',
    's3.evil.amazonaws.com',
    'bucket.s3-website-us-east-1.amazonaws.com',
    'dynamodb.us-east-1.amazonaws.com',
    'evil.sqs.us-east-1.amazonaws.com',
    'sns.us-east-1.api.aws',
    'sqs.amazonaws.com.evil.com',
    'localhost',
    '127.0.0.1:4700',
    '[::1]:443',
    `${'a.'.repeat(100_000)}s3.amazonaws.com`,
    `s3.${'us-'.repeat(100_000)}east-1.amazonaws.com`,
  ])('%.60s is a host of another party', (host) => {
    expect(vendorServiceOf(host)).toBeUndefined()
  })

  test('the signed URLs of an API host are in its AWS region', () => {
    expect(documentsHostOf('sellingpartnerapi-na.amazon.com')).toBe('souk-documents.s3.us-east-1.amazonaws.com')
    expect(documentsHostOf('sandbox.sellingpartnerapi-EU.amazon.com:443')).toBe(
      'souk-documents.s3.eu-west-1.amazonaws.com',
    )
    expect(documentsHostOf('sellingpartnerapi-fe.amazon.com')).toBe('souk-documents.s3.us-west-2.amazonaws.com')
    expect(HOSTS.api.map((host) => vendorServiceOf(documentsHostOf(host)))).toEqual(HOSTS.api.map(() => 'documents'))
  })

  test.each(cases)('the local certificate authority can vouch for %s', (host) => {
    expect(VENDOR_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))).toBe(true)
  })

  test('the local certificate authority cannot vouch for the shops of the vendor', () => {
    expect(VENDOR_DOMAINS.filter((domain) => /^(www\.)?amazon\./.test(domain))).toEqual([])
  })
})
