import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createOnce } from './authority-files.ts'
import { issueAuthorityCertificate } from './certificate.ts'
import { openAuthority } from './certificate-authority.ts'

const unexpected = (message: string) => {
  throw new Error(`Unexpected warning: ${message}`)
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'souk-authority-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'tls')
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const isWindows = process.platform === 'win32'

describe('the local certificate authority', () => {
  test('is created on first use, and is the same from then on', () => {
    const folder = newFolder()
    const first = openAuthority(folder, unexpected)
    const again = openAuthority(folder, unexpected)
    expect(again.certificate).toBe(first.certificate)
    expect(readFileSync(first.file, 'utf8')).toBe(first.certificate)
    expect(new X509Certificate(first.certificate).ca).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['.gitignore', 'ca-bundle.pem', 'ca-key.pem', 'ca.pem'])
  })

  test('has a bundle with public authorities, for clients whose setting replaces all others', () => {
    const { bundleFile, certificate } = openAuthority(newFolder(), unexpected)
    const bundle = readFileSync(bundleFile, 'utf8')
    expect(bundle.startsWith(certificate)).toBe(true)
    expect(bundle.match(/^-----BEGIN CERTIFICATE-----$/gm)?.length).toBeGreaterThan(50)
  })

  test('issues certificates for the host names given, localhost addresses included', () => {
    const authority = openAuthority(newFolder(), unexpected)
    const certificate = new X509Certificate(authority.issue(['a.b.s3.amazonaws.com', 'localhost']).cert)
    expect(certificate.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true)
    expect(certificate.checkHost('a.b.s3.amazonaws.com')).toBeDefined()
    expect(certificate.checkHost('b.s3.amazonaws.com')).toBeUndefined()
    expect([certificate.checkIP('127.0.0.1'), certificate.checkIP('::1')]).toEqual(['127.0.0.1', '::1'])
  })

  test.skipIf(isWindows)('has a key that only its owner can read', () => {
    const folder = newFolder()
    openAuthority(folder, unexpected)
    expect([modeOf(folder), modeOf(join(folder, 'ca-key.pem'))]).toEqual(['700', '600'])
  })

  test.skipIf(isWindows)('closes a key that others can read, and reports it', () => {
    const folder = newFolder()
    openAuthority(folder, unexpected)
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'ca-key.pem'), 0o644)
    const warnings: string[] = []
    openAuthority(folder, (message) => warnings.push(message))
    expect(warnings).toEqual([
      expect.stringContaining(`could access ${folder} (mode 755)`),
      expect.stringContaining('ca-key.pem (mode 644)'),
    ])
    expect([modeOf(folder), modeOf(join(folder, 'ca-key.pem'))]).toEqual(['700', '600'])
  })

  test.each([
    ['is soon expired', ['localhost'], '2020-01-01T00:00:00.000Z'],
    ['is for other domains', ['example.com'], '2100-01-01T00:00:00.000Z'],
  ])('renews a certificate that %s, and keeps its key, so that trust stores stay valid', (_why, domains, notAfter) => {
    const folder = newFolder()
    const first = openAuthority(folder, unexpected)
    const keys = keysOf(folder)
    const stale = issueAuthorityCertificate(keys, domains, {
      notBefore: new Date('2019-01-01T00:00:00.000Z'),
      notAfter: new Date(notAfter),
    })
    writeFileSync(first.file, stale)
    const renewed = openAuthority(folder, unexpected)
    expect(renewed.certificate).not.toBe(stale)
    const [before, after] = [new X509Certificate(stale), new X509Certificate(renewed.certificate)]
    expect(after.subject).toBe(before.subject)
    expect(new X509Certificate(renewed.issue(['localhost']).cert).verify(before.publicKey)).toBe(true)
  })

  test('a certificate that is damaged or of another key is issued again', () => {
    const folder = newFolder()
    const { file } = openAuthority(folder, unexpected)
    const other = openAuthority(newFolder(), unexpected).certificate
    for (const content of ['not a certificate', other]) {
      writeFileSync(file, content)
      const { certificate } = openAuthority(folder, unexpected)
      expect(new X509Certificate(certificate).checkPrivateKey(keysOf(folder).privateKey)).toBe(true)
    }
  })

  test('a damaged key is not replaced: the message says what to do', () => {
    const folder = newFolder()
    openAuthority(folder, unexpected)
    const key = join(folder, 'ca-key.pem')
    writeFileSync(key, 'not a key')
    expect(() => openAuthority(folder, unexpected)).toThrow(`${key} is not a private key of Souk: delete it`)
    expect(readFileSync(key, 'utf8')).toBe('not a key')
  })

  test('the first of two processes decides about the content of a file', () => {
    const folder = newFolder()
    mkdirSync(folder)
    const path = join(folder, 'file')
    expect([createOnce(path, 'first'), createOnce(path, 'second')]).toEqual([true, false])
    expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['file'], 'first'])
  })

  test('processes that start at the same time use the same key', async () => {
    const folder = newFolder()
    const module = new URL('./certificate-authority.ts', import.meta.url)
    const script = `
      const { openAuthority } = await import(${JSON.stringify(String(module))})
      process.stdout.write(openAuthority(${JSON.stringify(folder)}, () => {}).issue(['localhost']).cert)`
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const issued = await Promise.all([run(), run(), run(), run()])
    const { publicKey } = new X509Certificate(readFileSync(join(folder, 'ca.pem')))
    expect(issued.map(({ stdout }) => new X509Certificate(stdout).verify(publicKey))).toEqual([true, true, true, true])
  })
})

function keysOf(folder: string) {
  const privateKey = createPrivateKey(readFileSync(join(folder, 'ca-key.pem')))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
