import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as ApplicationsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/applications_v2023_11_30/index.js'
import * as UploadsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/uploads_v2020_11_01/index.js'
import { registerApplication } from '../support/applications.ts'
import { arnOf, receive } from '../support/notifications.ts'
import { ROTATION, startTestSouk, type TestSouk } from '../support/souk.ts'

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk()
  })

  const applications = (token: string) =>
    new ApplicationsSpApi.ApplicationsApi(
      new ApplicationsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token),
    )

  test('rotates the client secret, which arrives at the queue', async () => {
    const secretQueues = { newSecret: arnOf('vendor-secrets') }
    const application = await registerApplication(souk, 'vendor-app', { secretQueues })
    await applications(await application.grantlessToken(ROTATION)).rotateApplicationClientSecret()
    await souk.idle()
    expect(await receive(souk.queueUrl, 'vendor-secrets')).toMatchObject([
      { payload: { applicationOAuthClientNewSecret: { clientId: application.clientId } } },
    ])
  })

  test('throws the error of a rotation without a queue', async () => {
    const refused = applications(await souk.grantlessToken(ROTATION)).rotateApplicationClientSecret()
    await expect(refused).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'InvalidInput' }] } },
    })
  })

  test('creates an upload destination, to which a file can be uploaded', async () => {
    const token = await souk.tokenFor(souk.demo.refreshToken)
    const uploads = new UploadsSpApi.UploadsApi(
      new UploadsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token),
    )
    const file = 'a disclosure'
    const { payload } = (await uploads.createUploadDestinationForResource(
      [souk.demo.marketplaceId],
      createHash('md5').update(file).digest('base64'),
      '/messaging/v1/orders/123-1234567-1234567/messages/legalDisclosure',
      { contentType: 'text/plain' },
    )) as unknown as { payload: { url: string; headers: Record<string, string> } }
    const response = await fetch(payload.url, { method: 'PUT', headers: payload.headers, body: file })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})
