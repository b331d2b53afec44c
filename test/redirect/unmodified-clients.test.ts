import { describe, expect, test } from 'vitest'
import { runClient, startSoukForPrograms } from '../support/redirected.ts'

// Each test starts a process that loads a large package, on machines that do much else.
const TIMEOUT_MILLISECONDS = 60_000

describe('with souk/redirect, an unmodified client works:', { timeout: TIMEOUT_MILLISECONDS }, () => {
  test('amazon-sp-api gets tokens, downloads, uploads, waits when throttled and renews an expired token', async () => {
    const { souk, statuses } = await startSoukForPrograms()
    expect(await runClient('amazon-sp-api.mjs', souk)).toEqual({
      reportRows: expect.any(Number),
      streamedBytes: expect.any(Number),
      documentHost: 'souk-documents.s3.us-east-1.amazonaws.com',
      summary: expect.objectContaining({ messagesAccepted: expect.any(Number), errors: 0 }),
      afterExpiry: 'DONE',
      hasNewToken: true,
    })
    expect(statuses).toContain(429)
    expect(statuses).toContain(403)
    expect(statuses.filter((status) => ![200, 201, 202, 403, 429].includes(status))).toEqual([])
  })

  test('@sp-api-sdk gets tokens, downloads, uploads and retries when throttled', async () => {
    const { souk, statuses } = await startSoukForPrograms()
    expect(await runClient('sp-api-sdk.mjs', souk)).toEqual({
      lines: expect.any(Number),
      documentHost: 'souk-documents.s3.eu-west-1.amazonaws.com',
      uploadHost: 'souk-documents.s3.eu-west-1.amazonaws.com',
      feedId: expect.any(String),
      hasRetried: true,
    })
    expect(statuses.filter((status) => ![200, 201, 202, 429].includes(status))).toEqual([])
  })

  test('@scaleleap/selling-partner-api-sdk calls operations, and fetch downloads the report', async () => {
    const { souk } = await startSoukForPrograms({ rates: 'off' })
    expect(await runClient('scaleleap.mjs', souk)).toEqual({
      marketplaces: expect.arrayContaining(['ATVPDKIKX0DER']),
      documentHost: 'souk-documents.s3.us-west-2.amazonaws.com',
      lines: expect.any(Number),
    })
  })
})
