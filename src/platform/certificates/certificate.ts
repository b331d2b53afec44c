import { createHash, type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  TRUE,
  time,
  utf8String,
} from './der.ts'

export interface Validity {
  notBefore: Date
  notAfter: Date
}

/** A key pair on the curve P-256. */
export interface KeyPair {
  publicKey: KeyObject
  privateKey: KeyObject
}

const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
const VERSION_3 = explicit(0, integer(Buffer.from([2])))

// The bits of KeyUsage, counted from the left.
const DIGITAL_SIGNATURE = bitString(Buffer.from([0b1000_0000]), 7)
const SIGNS_CERTIFICATES_AND_CRLS = bitString(Buffer.from([0b0000_0110]), 1)

const SERVER_AUTHENTICATION = objectIdentifier('1.3.6.1.5.5.7.3.1')

// The alternatives of GeneralName.
const dnsName = (name: string) => implicit(2, Buffer.from(name))
const ipAddress = (hex: string) => implicit(7, Buffer.from(hex, 'hex'))

// 127.0.0.1 and ::1.
const LOOPBACK_ADDRESSES = ['7f000001', '00000000000000000000000000000001'].map(ipAddress)
// Each with its mask: 127.0.0.0/8 and ::1/128.
const LOOPBACK_RANGES = ['7f000000ff000000', `${'0'.repeat(31)}1${'f'.repeat(32)}`].map(ipAddress)

/** Issues the certificate of an authority that may vouch for names in these domains and loopback addresses only. */
export function issueAuthorityCertificate(keys: KeyPair, domains: readonly string[], validity: Validity): string {
  return issue(keys, keys.publicKey, authorityName(keys.publicKey), validity, [
    extension('2.5.29.19', sequence(TRUE, integer(Buffer.from([0]))), 'critical'),
    extension('2.5.29.15', SIGNS_CERTIFICATES_AND_CRLS, 'critical'),
    extension('2.5.29.14', octetString(keyIdOf(keys.publicKey))),
    nameConstraints(domains),
  ])
}

/** Issues the certificate of a server with these host names and the loopback addresses. */
export function issueServerCertificate(
  authority: KeyPair,
  publicKey: KeyObject,
  hosts: readonly string[],
  validity: Validity,
): string {
  return issue(authority, publicKey, directoryName('souk dev'), validity, [
    extension('2.5.29.19', sequence(), 'critical'),
    extension('2.5.29.15', DIGITAL_SIGNATURE, 'critical'),
    extension('2.5.29.37', sequence(SERVER_AUTHENTICATION)),
    extension('2.5.29.14', octetString(keyIdOf(publicKey))),
    extension('2.5.29.35', sequence(implicit(0, keyIdOf(authority.publicKey)))),
    extension('2.5.29.17', sequence(...hosts.map(dnsName), ...LOOPBACK_ADDRESSES)),
  ])
}

/** The extension that limits an authority. Its bytes are in the certificate as they are here. */
export function nameConstraints(domains: readonly string[]): Buffer {
  const permitted = [...domains.map(dnsName), ...LOOPBACK_RANGES]
  return extension('2.5.29.30', sequence(explicit(0, ...permitted.map((name) => sequence(name)))), 'critical')
}

function issue(
  issuer: KeyPair,
  publicKey: KeyObject,
  subject: Buffer,
  { notBefore, notAfter }: Validity,
  extensions: readonly Buffer[],
): string {
  const content = [
    ECDSA_WITH_SHA256,
    authorityName(issuer.publicKey),
    sequence(time(notBefore), time(notAfter)),
    subject,
    spkiOf(publicKey),
    explicit(3, sequence(...extensions)),
  ]
  const body = sequence(VERSION_3, serialNumberOf(content), ...content)
  const signature = sign('sha256', body, issuer.privateKey)
  return toPem(sequence(body, ECDSA_WITH_SHA256, bitString(signature)))
}

/** Different for certificates that differ. With the first bit cleared it is positive in 16 bytes. */
function serialNumberOf(content: readonly Buffer[]): Buffer {
  const bytes = createHash('sha256').update(Buffer.concat(content)).digest().subarray(0, 16)
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40
  return integer(bytes)
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return sequence(objectIdentifier(id), ...(critical ? [TRUE] : []), octetString(value))
}

/** Contains the key id: two authorities in one trust store must not be mistaken for one another. */
const authorityName = (publicKey: KeyObject) =>
  directoryName(`souk dev local CA ${keyIdOf(publicKey).toString('hex').slice(0, 8)}`)

const directoryName = (commonName: string) =>
  sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))))

/** RFC 7093, section 2, method 4. */
const keyIdOf = (publicKey: KeyObject) => createHash('sha256').update(spkiOf(publicKey)).digest().subarray(0, 20)

const spkiOf = (publicKey: KeyObject) => publicKey.export({ type: 'spki', format: 'der' })

function toPem(der: Buffer): string {
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
