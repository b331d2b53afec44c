import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'

/** Variables that replace the authorities a program trusts. */
export const TRUST_VARIABLES = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'AWS_CA_BUNDLE', 'CURL_CA_BUNDLE'] as const

// Of Debian and Alpine, Fedora and RHEL, openSUSE, macOS and BSD.
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

export interface TrustBundle {
  file: string
  remove(): void
}

/**
 * Writes a file with a certificate and all that the user trusts already: with the certificate alone, requests to others
 * fail.
 */
export function writeTrustBundle(certificate: string, env: NodeJS.ProcessEnv): TrustBundle {
  const folder = mkdtempSync(join(tmpdir(), 'souk-run-'))
  const file = join(folder, 'ca-bundle.pem')
  writeFileSync(file, [certificate, ...readTrusted(env)].join('\n'))
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function readTrusted(env: NodeJS.ProcessEnv): readonly string[] {
  const own = [...new Set(TRUST_VARIABLES.map((name) => env[name]))].map(readIfThere).filter((text) => text !== '')
  const system = SYSTEM_FILES.map(readIfThere).find((text) => text !== '')
  // A variable is read by some programs only, and the others trust what the system does.
  return [...own, ...(system === undefined ? tls.rootCertificates : [system])]
}

function readIfThere(file: string | undefined): string {
  try {
    return file ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}
