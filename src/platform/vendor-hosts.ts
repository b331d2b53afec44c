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

// A wildcard stands for one label only, so a certificate needs names for each region.
const REGIONS = [
  'af-south-1 ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2',
  'ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7',
  'ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3',
  'il-central-1 me-central-1 me-south-1 me-west-1 mx-central-1 sa-east-1 us-east-1 us-east-2 us-west-1 us-west-2',
  'us-gov-east-1 us-gov-west-1 cn-north-1 cn-northwest-1',
]
  .join(' ')
  .split(' ')

/**
 * Returns the names of a certificate for all hosts of today's regions. No wildcard matches a bucket with a dot in its
 * name, nor a region that is not listed here.
 */
export function listCertificateNames(): string[] {
  const global = ['', 's3', 's3-external-1', 's3-accelerate', 's3-accelerate.dualstack', 'queue']
  return [
    ...API_HOSTS,
    ...TOKEN_HOSTS,
    ...global.map((name) => `*.${name && `${name}.`}amazonaws.com`),
    ...REGIONS.flatMap((region) => {
      const isChina = region.startsWith('cn-')
      const suffix = isChina ? 'amazonaws.com.cn' : 'amazonaws.com'
      return [
        ...['', 's3.', 's3-fips.', 'dualstack.', 's3.dualstack.', 's3-fips.dualstack.'].map(
          (name) => `*.${name}${region}.${suffix}`,
        ),
        `*.s3-${region}.${suffix}`,
        `*.${region}.api.${isChina ? 'amazonwebservices.com.cn' : 'aws'}`,
      ]
    }),
    '*.amazonaws.com.cn',
    '*.queue.amazonaws.com.cn',
  ]
}
