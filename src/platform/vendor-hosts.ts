/**
 * The vendor's hosts that Souk stands in for. Redirect, certificates and proxy all decide by this file. It imports
 * nothing, because the redirect loads it into other programs.
 */
export type VendorService = 'api' | 'token' | 'documents' | 'queue'

/** The AWS region of each selling region. */
const SELLING_REGIONS = { na: 'us-east-1', eu: 'eu-west-1', fe: 'us-west-2' } as const

const API_HOSTS = Object.keys(SELLING_REGIONS).flatMap((region) => [
  `sellingpartnerapi-${region}.amazon.com`,
  `sandbox.sellingpartnerapi-${region}.amazon.com`,
])

const TOKEN_HOSTS = ['api.amazon.com', 'api.amazon.co.uk', 'api.amazon.co.jp', 'api.amazon.cn']

const MAX_HOST_LENGTH = 253

// By pattern, not by list: the vendor adds regions.
const REGION = '[a-z]{2,4}(?:-[a-z]+)+-[0-9]{1,2}'
const BUCKET = '(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\\.)?'
const SUFFIX = '\\.amazonaws\\.com(?:\\.cn)?'

const DOCUMENTS_HOST = new RegExp(
  `^${BUCKET}s3(?:|-external-1|-accelerate(?:\\.dualstack)?|[.-]${REGION}|\\.dualstack\\.${REGION}|-fips(?:\\.dualstack)?\\.${REGION})${SUFFIX}$`,
)

const QUEUE_HOST = new RegExp(
  `^(?:(?:sqs(?:-fips)?\\.${REGION}|(?:${REGION}\\.)?queue)${SUFFIX}|sqs(?:-fips)?\\.${REGION}\\.api\\.(?:aws|amazonwebservices\\.com\\.cn))$`,
)

/** Returns what the vendor has at a host, with or without a port; undefined for a host of another party. */
export function vendorServiceOf(host: string): VendorService | undefined {
  if (host.length > MAX_HOST_LENGTH + ':65535'.length) return undefined
  const name = normalizeHost(host)
  if (API_HOSTS.includes(name)) return 'api'
  if (TOKEN_HOSTS.includes(name)) return 'token'
  if (DOCUMENTS_HOST.test(name)) return 'documents'
  if (QUEUE_HOST.test(name)) return 'queue'
  return undefined
}

/** Returns the host of the signed URLs in the responses of an API host. */
export function documentsHostOf(apiHost: string): string {
  const [, region = 'na'] = /sellingpartnerapi-(na|eu|fe)\./.exec(normalizeHost(apiHost)) ?? []
  return `souk-documents.s3.${SELLING_REGIONS[region as keyof typeof SELLING_REGIONS]}.amazonaws.com`
}

/** Removes the port and the dot of a fully qualified name. */
function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/:[0-9]{1,5}$/, '')
    .replace(/\.$/, '')
}

/** The hosts with fixed names, for a client that does not say which host it wants. */
export const FIXED_VENDOR_HOSTS: readonly string[] = [...API_HOSTS, ...TOKEN_HOSTS]

/** Names for a hosts file, which has no wildcards: the fixed hosts, and those of documents and queues per region. */
export const HOSTS_FILE_NAMES: readonly string[] = [
  ...FIXED_VENDOR_HOSTS,
  ...Object.values(SELLING_REGIONS).flatMap((region) => [
    `souk-documents.s3.${region}.amazonaws.com`,
    `sqs.${region}.amazonaws.com`,
  ]),
]

/** Domains that contain all of the hosts: the local certificate authority can vouch for no others. */
export const VENDOR_DOMAINS: readonly string[] = [
  ...Object.keys(SELLING_REGIONS).map((region) => `sellingpartnerapi-${region}.amazon.com`),
  ...TOKEN_HOSTS,
  'amazonaws.com',
  'amazonaws.com.cn',
  'api.aws',
  'api.amazonwebservices.com.cn',
]

/** Marks the first request of a connection that `souk/redirect` brought to Souk. */
export const REDIRECT_HEADER = 'x-souk-redirect'
