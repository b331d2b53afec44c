import { describe, expect, test } from 'vitest'
import openapi from '../../../openapi/openapi.json' with { type: 'json' }
import { startTestSouk } from '../../support/souk.ts'

describe('the port of the local queue', () => {
  test('returns the URL of the API for every path of the API', async () => {
    const souk = await startTestSouk()
    for (const path of ['/_souk/clock', '/docs', ...Object.keys(openapi.paths)]) {
      const response = await fetch(souk.queueUrl + path.replace(/\{\w+\}/g, 'x'), { method: 'POST', body: '{}' })
      expect(response.status, path).toBe(404)
      expect(await response.text(), path).toContain(`The Selling Partner API is at ${souk.url}.`)
    }
  })

  test('serves SQS clients', async () => {
    const souk = await startTestSouk()
    const response = await fetch(souk.queueUrl, {
      method: 'POST',
      headers: { 'x-amz-target': 'AmazonSQS.ListQueues', 'content-type': 'application/x-amz-json-1.0' },
      body: '{}',
    })
    expect(response.status).toBe(200)
  })
})
