import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { SystemClock } from '../clock/system-clock.ts'
import { VENDOR_DOMAINS } from '../vendor-hosts.ts'
import {
  type AuthorityFiles,
  AuthorityFilesError,
  createOnce,
  prepareAuthorityFolder,
  readIfPresent,
  replaceFile,
} from './authority-files.ts'
import {
  issueAuthorityCertificate,
  issueServerCertificate,
  type KeyPair,
  nameConstraints,
  type Validity,
} from './certificate.ts'

export interface ServerCredentials {
  key: string
  cert: string
}

// It can vouch for no other names. A change here renews the certificates of all authorities.
const DOMAINS = ['localhost', ...VENDOR_DOMAINS]

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const AUTHORITY_DAYS = 825
const SERVER_DAYS = 30
// Clients whose clock is behind accept a new certificate too.
const BACKDATED_DAYS = 1

// Clients compare certificates with their own clock, whatever the clock of the marketplace says.
const realClock = new SystemClock()

/** Issues certificates that are valid for clients that trust the authority's own certificate. */
export class CertificateAuthority {
  /** The path of the certificate, for clients. */
  readonly file: string
  /** The path of the certificate with those of public authorities. */
  readonly bundleFile: string
  /** The certificate as PEM text. */
  readonly certificate: string
  readonly #keys: KeyPair
  // Only in memory: a server certificate lasts as long as its process.
  readonly #server = generateKeyPair()
  readonly #serverKeyText = this.#server.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

  constructor(files: AuthorityFiles, certificate: string, keys: KeyPair) {
    this.file = files.certificate
    this.bundleFile = files.bundle
    this.certificate = certificate
    this.#keys = keys
  }

  /** How long server certificates may be used. They are valid for twice as long. */
  readonly renewAfterMilliseconds = (SERVER_DAYS * DAY_MILLISECONDS) / 2

  /** Issues a certificate for these host names, 127.0.0.1 and ::1. */
  issue(hosts: readonly string[]): ServerCredentials {
    const cert = issueServerCertificate(this.#keys, this.#server.publicKey, hosts, validFor(SERVER_DAYS))
    return { key: this.#serverKeyText, cert }
  }
}

/**
 * Opens the authority of a folder, and creates it first where there is none. Only its key must survive: certificates of
 * the same key are interchangeable, so processes that start at once need to agree on the key only, and a renewed
 * certificate leaves those valid that are in trust stores.
 */
export function openAuthority(folder: string, warn: (message: string) => void): CertificateAuthority {
  const files = prepareAuthorityFolder(folder, warn)
  const keys = loadKeys(files) ?? createKeys(files)
  const stored = readIfPresent(files.certificate)
  const certificate =
    stored !== undefined && isUsable(stored, keys)
      ? stored
      : issueAuthorityCertificate(keys, DOMAINS, validFor(AUTHORITY_DAYS))
  replaceFile(files.certificate, certificate)
  replaceFile(files.bundle, [certificate, ...getCACertificates()].map((one) => `${one.trim()}\n`).join(''))
  return new CertificateAuthority(files, certificate, keys)
}

function createKeys(files: AuthorityFiles): KeyPair {
  const keys = generateKeyPair()
  const text = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return createOnce(files.key, text) ? keys : (loadKeys(files) ?? createKeys(files))
}

function loadKeys({ key }: AuthorityFiles): KeyPair | undefined {
  const text = readIfPresent(key)
  if (text === undefined) return undefined
  try {
    const privateKey = createPrivateKey(text)
    if (privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not a key on the curve P-256')
    return { privateKey, publicKey: createPublicKey(privateKey) }
  } catch (cause) {
    throw new AuthorityFilesError(`${key} is not a private key of Souk: delete it to create a new authority.`, {
      cause,
    })
  }
}

/** False if the certificate is of another key, for other domains, or soon expired. */
function isUsable(text: string, { privateKey }: KeyPair): boolean {
  try {
    const certificate = new X509Certificate(text)
    const outlivesServers = new Date(certificate.validTo) > validFor(SERVER_DAYS).notAfter
    return (
      outlivesServers && certificate.checkPrivateKey(privateKey) && certificate.raw.includes(nameConstraints(DOMAINS))
    )
  } catch {
    return false
  }
}

const generateKeyPair = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

function validFor(days: number): Validity {
  const now = realClock.now().getTime()
  return {
    notBefore: new Date(now - BACKDATED_DAYS * DAY_MILLISECONDS),
    notAfter: new Date(now + days * DAY_MILLISECONDS),
  }
}
