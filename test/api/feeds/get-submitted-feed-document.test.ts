import { beforeAll, describe, expect, test } from 'vitest'
import { registerApplication } from '../../support/applications.ts'
import { FeedsClient, JSON_TYPE, remove } from '../../support/feeds.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: FeedsClient
let content: ReturnType<FeedsClient['document']>
let feedId: string
const pathOf = (id: string) => `/console/v1/feeds/${id}/document`
beforeAll(async () => {
  souk = await startTestSouk()
  client = new FeedsClient(souk)
  content = client.document([remove('NO-SUCH-SKU')])
  ;({ feedId } = await client.finished(content))
})

const asConsole = (sellerId = souk.demo.sellerId) => ({ 'x-souk-console': '1', 'x-souk-seller': sellerId })

describe('getSubmittedFeedDocument', () => {
  test('returns the document unchanged to the application that submitted it', async () => {
    const response = await client.get(pathOf(feedId))
    expect(response.json()).toMatchObject({ contentType: JSON_TYPE })
    const downloaded = await fetch(response.json().url)
    expect(downloaded.headers.get('content-type')).toBe(JSON_TYPE)
    expect(await downloaded.text()).toBe(content)
  })

  test('returns it to the console of the seller', async () => {
    const response = await souk.get(pathOf(feedId), { headers: asConsole() })
    expect(response.statusCode).toBe(200)
  })

  test('looks missing to another seller', async () => {
    const response = await souk.get(pathOf(feedId), { headers: asConsole('A2SOUKOTHERSEL') })
    expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound' })
  })

  test('is refused to another application of the seller', async () => {
    const other = await registerApplication(souk, 'other', { sellerIds: [souk.demo.sellerId] })
    const token = await other.sellerToken(souk.demo.sellerId)
    expect(errorOf(await souk.get(pathOf(feedId), { token }))).toMatchObject({ status: 403, code: 'Unauthorized' })
  })

  test('returns 404 for an unknown feed', async () => {
    expect(errorOf(await client.get(pathOf('1')))).toMatchObject({ status: 404 })
  })
})
