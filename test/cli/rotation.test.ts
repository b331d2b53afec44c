import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../support/databases.ts'
import { createReportMarketplace } from '../support/process-marketplace.ts'
import { startSoukProcess, temporaryFolder } from '../support/souk-process.ts'

const OLD = { key: 'the-old-operator-key', secret: 'the-old-signing-secret' }
const NEW = { key: 'the-new-operator-key', secret: 'the-new-signing-secret' }

test('processes of souk serve with old and new secrets accept the keys and signed URLs of each other during a rotation', async () => {
  const shared = {
    SOUK_DATABASE_URL: await createPostgresDatabase('schema'),
    SOUK_DOCUMENTS_URL: pathToFileURL(temporaryFolder()).href,
    SOUK_PUBLIC_URL: 'https://souk.example',
    SOUK_HOST: '127.0.0.1',
    SOUK_PORT: '0',
  }
  const serve = async (current: typeof OLD, fallback?: typeof OLD) => {
    const souk = startSoukProcess(['serve'], {
      env: {
        ...shared,
        SOUK_OPERATOR_KEY: current.key,
        SOUK_SIGNING_SECRET: current.secret,
        ...(fallback && {
          SOUK_OPERATOR_KEY_FALLBACKS: fallback.key,
          SOUK_SIGNING_SECRET_FALLBACKS: fallback.secret,
        }),
      },
    })
    const [, url = ''] = await souk.waitFor(/"url":"([^"]+)","msg":"server listening"/)
    return url
  }
  const listSellers = async (url: string, key: string) =>
    (await fetch(`${url}/operator/v1/sellers`, { headers: { authorization: `Bearer ${key}` } })).status
  const upload = async (url: string, path: string) =>
    (await fetch(url + path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })).status

  const [knowing, using, after] = await Promise.all([serve(OLD, NEW), serve(NEW, OLD), serve(NEW)])
  const seller = await createReportMarketplace(knowing, OLD.key)

  // Every process knows the new values before any of them uses one.
  for (const url of [knowing, using]) {
    expect([await listSellers(url, OLD.key), await listSellers(url, NEW.key)]).toEqual([200, 200])
  }
  for (const [signer, verifier] of [
    [knowing, using],
    [using, knowing],
  ] as const) {
    expect(await upload(verifier, await seller.uploadPath(signer))).toBe(200)
  }

  // Finally, no process accepts the old values.
  expect(await upload(after, await seller.uploadPath(using))).toBe(200)
  expect([await listSellers(after, OLD.key), await listSellers(after, NEW.key)]).toEqual([403, 200])
  expect(await upload(after, await seller.uploadPath(knowing))).toBe(403)
}, 120_000)
