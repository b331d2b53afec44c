import { version } from '../composition/version.ts'
import { isLoopback } from '../dev/control-host.ts'
import type { Souk } from '../index.ts'
import { toAddress } from '../stand-in/address.ts'

export interface BannerOptions {
  quiet: boolean
  dataFolder: string
  eventBus: string
  demoAgeDays: number
  seedFile?: string | undefined
  /** The address that the service listens on, and the one on which the control plane is served besides loopback. */
  host: string
  controlHost?: string | undefined
}

// Demo orders are laid out to stay eligible, too early and so on for ten days.
const DEMO_VALID_DAYS = 10

/** The output of `souk dev` at start. */
export function printBanner(
  { url, queueUrl, tlsUrl, demo, demoLoadedAt, applications }: Souk,
  { quiet, dataFolder, eventBus, demoAgeDays, seedFile, host, controlHost }: BannerOptions,
): void {
  if (quiet) {
    for (const one of tlsUrl ? [url, tlsUrl] : [url]) console.log(`souk ${version} at ${one}`)
    return
  }
  const ageWarning =
    demoLoadedAt && demoAgeDays > DEMO_VALID_DAYS ? `, ${demoAgeDays} days old; use --fresh to recreate it` : ''
  const tls = tlsUrl ? `\n  with TLS       ${tlsUrl} (souk tls prints the settings for clients)` : ''
  const control =
    isLoopback(toAddress(host)) || controlHost !== undefined
      ? ''
      : '\n  control plane  on loopback addresses only (--control-host 0.0.0.0 opens it)'
  console.log(`
  souk ${version}  a marketplace on your machine

  address        ${url}${tls}${control}
  console        ${url}/console/
  documentation  ${url}/docs
  local queue    ${queueUrl}
  event bus log  ${eventBus}
  data           ${dataFolder}${ageWarning}
${demoLoadedAt ? `  demo seller    ${demo.sellerId} in ${demo.marketplaceId}` : `  marketplace    ${seedFile ?? 'from an import or a seed file of an earlier start'}`}
${demoLoadedAt ? formatClient(demo) : seedFile ? formatApplications(applications) : ''}
  operator key   ${demo.operatorKey}
${demoLoadedAt ? formatTrial(url, demo) : formatSeedTrial(url, seedFile ? applications : [])}
  Press Ctrl+C to stop.
`)
}

interface Client {
  clientId: string
  clientSecret: string
  refreshToken: string
}

const formatClient = ({ clientId, clientSecret, refreshToken }: Client) => `  client id      ${clientId}
  client secret  ${clientSecret}
  refresh token  ${refreshToken}`

const formatTrial = (url: string, { clientId, clientSecret, refreshToken }: Client) => `
  Try it:

  curl ${url}/auth/o2/token \\
    -d grant_type=refresh_token \\
    -d 'refresh_token=${refreshToken}' \\
    -d client_id=${clientId} \\
    -d client_secret=${clientSecret}
`

// A file can have thousands.
const MAX_LISTED = 10
const UNKNOWN = '(only its digest is known)'

function formatApplications(applications: Souk['applications']): string {
  const listed = applications.slice(0, MAX_LISTED).map(
    ({ applicationId, clientId, clientSecret = UNKNOWN, authorizations }) => `  application    ${applicationId}
  client id      ${clientId}
  client secret  ${clientSecret}
${formatList(authorizations.map(({ sellerId, refreshToken = UNKNOWN }) => `  seller         ${sellerId}: ${refreshToken}`))}`,
  )
  return formatList(listed, applications.length)
}

function formatList(lines: readonly string[], total = lines.length): string {
  const more = total > MAX_LISTED ? [`  and ${total - MAX_LISTED} more`] : []
  return [...lines.slice(0, MAX_LISTED), ...more].join('\n')
}

function formatSeedTrial(url: string, applications: Souk['applications']): string {
  for (const { clientId, clientSecret, authorizations } of applications) {
    const refreshToken = authorizations.find((one) => one.refreshToken !== undefined)?.refreshToken
    if (clientSecret !== undefined && refreshToken !== undefined)
      return formatTrial(url, { clientId, clientSecret, refreshToken })
  }
  return ''
}
