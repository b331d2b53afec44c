import { HOSTS_FILE_NAMES } from '../platform/vendor-hosts.ts'
import type { Souk } from '../public-types.ts'
import { TRUST_VARIABLES, type TrustBundle, writeTrustBundle } from './trust-bundle.ts'

const LOOPBACK_HOSTS = 'localhost,127.0.0.1,::1'

// Next to this file in the sources; in the build, this code is one folder below dist/.
const REDIRECT = new URL(
  import.meta.url.endsWith('.ts') ? '../redirect/index.ts' : '../redirect/index.js',
  import.meta.url,
)

interface RunSettings {
  souk: Pick<Souk, 'url' | 'queueUrl' | 'applications'>
  /** A file with the authorities to trust, that of Souk included. */
  trusted: string
}

/** Calls back with the variables of commands whose requests arrive at Souk. Souk stops afterward. */
export async function withEnvironment<Result>(
  souk: RunSettings['souk'] & Pick<Souk, 'localAuthority' | 'stop'>,
  use: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  let trust: TrustBundle | undefined
  try {
    const { certificate } = await souk.localAuthority()
    trust = writeTrustBundle(certificate, process.env)
    return await use(createEnvironment({ souk, trusted: trust.file }, process.env))
  } finally {
    trust?.remove()
    await souk.stop()
  }
}

/** The variables of a command whose requests to the vendor's hosts must arrive at Souk. */
function createEnvironment({ souk, trusted }: RunSettings, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { url, queueUrl, applications } = souk
  return {
    ...env,
    SOUK_URL: url,
    SOUK_QUEUE_URL: queueUrl,
    SOUK_REDIRECT_QUIET: '1',
    AWS_ENDPOINT_URL_SQS: queueUrl,
    // The URL has no spaces, which would separate options.
    NODE_OPTIONS: [`--import=${REDIRECT.href}`, env.NODE_OPTIONS].filter(Boolean).join(' '),
    // For programs in other languages. Some read one spelling, some the other.
    ...inBothCases('HTTPS_PROXY', url),
    ...inBothCases('NO_PROXY', [...userExceptions(env), LOOPBACK_HOSTS].join(',')),
    ...Object.fromEntries(TRUST_VARIABLES.map((name) => [name, trusted])),
    ...(env.NODE_EXTRA_CA_CERTS ? {} : { NODE_EXTRA_CA_CERTS: trusted }),
    ...credentialsOf(applications),
    ...(hasAwsCredentials(env) ? {} : { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }),
    ...(env.AWS_REGION || env.AWS_DEFAULT_REGION ? {} : { AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-1' }),
  }
}

const inBothCases = (name: string, value: string) => ({ [name]: value, [name.toLowerCase()]: value })

/** Without those that cover a host of the vendor: its requests would go to the live service. */
function userExceptions(env: NodeJS.ProcessEnv): string[] {
  const listed = (env.NO_PROXY || env.no_proxy || '').split(/[\s,]+/).filter(Boolean)
  return listed.filter((entry) => {
    const domain = entry.toLowerCase().replace(/^\*?\.|:\d+$/g, '')
    return domain !== '*' && !HOSTS_FILE_NAMES.some((host) => host === domain || host.endsWith(`.${domain}`))
  })
}

/** Real credentials are replaced: Souk does not know them, and they should not leave the machine in a test. */
function credentialsOf(applications: Souk['applications']): NodeJS.ProcessEnv {
  // The first application and its first seller. Of a seed they may be unknown, and the user's own are no use then either.
  const [{ clientId = '', clientSecret = '', authorizations = [] } = {}] = applications
  const refreshToken = authorizations[0]?.refreshToken ?? ''
  return {
    LWA_CLIENT_ID: clientId,
    LWA_CLIENT_SECRET: clientSecret,
    LWA_REFRESH_TOKEN: refreshToken,
    // amazon-sp-api
    SELLING_PARTNER_APP_CLIENT_ID: clientId,
    SELLING_PARTNER_APP_CLIENT_SECRET: clientSecret,
    // python-amazon-sp-api
    LWA_APP_ID: clientId,
    SP_API_REFRESH_TOKEN: refreshToken,
  }
}

/** The local queue accepts any credentials, but other services of AWS need the user's own. */
const hasAwsCredentials = (env: NodeJS.ProcessEnv) =>
  ['AWS_ACCESS_KEY_ID', 'AWS_PROFILE', 'AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONTAINER_CREDENTIALS_FULL_URI'].some(
    (name) => env[name],
  )
