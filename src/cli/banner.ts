import { version } from '../composition/version.ts'
import type { Souk } from '../index.ts'

export interface BannerOptions {
  quiet: boolean
  dataFolder: string
  eventBus: string
  demoAgeDays: number
}

// Demo orders are laid out to stay eligible, too early and so on for ten days.
const DEMO_VALID_DAYS = 10

/** The output of `souk dev` at start. */
export function printBanner(
  { url, queueUrl, tlsUrl, demo }: Souk,
  { quiet, dataFolder, eventBus, demoAgeDays }: BannerOptions,
): void {
  if (quiet) {
    for (const one of tlsUrl ? [url, tlsUrl] : [url]) console.log(`souk ${version} at ${one}`)
    return
  }
  const ageWarning = demoAgeDays > DEMO_VALID_DAYS ? `, ${demoAgeDays} days old; use --fresh to recreate it` : ''
  const tls = tlsUrl ? `\n  with TLS       ${tlsUrl} (souk tls prints the settings for clients)` : ''
  console.log(`
  souk ${version}  a marketplace on your machine

  address        ${url}${tls}
  documentation  ${url}/docs
  local queue    ${queueUrl}
  event bus log  ${eventBus}
  data           ${dataFolder}${ageWarning}
  demo seller    ${demo.sellerId} in ${demo.marketplaceId}
  client id      ${demo.clientId}
  client secret  ${demo.clientSecret}
  refresh token  ${demo.refreshToken}
  operator key   ${demo.operatorKey}

  Try it:

  curl ${url}/auth/o2/token \\
    -d grant_type=refresh_token \\
    -d 'refresh_token=${demo.refreshToken}' \\
    -d client_id=${demo.clientId} \\
    -d client_secret=${demo.clientSecret}

  Press Ctrl+C to stop.
`)
}
