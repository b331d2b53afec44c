import { beforeAll, describe, expect, test } from 'vitest'
// Imported by path: the package exports only its index, which loads every API and takes a second.
import * as NotificationsSpApi from '../../node_modules/@amazon-sp-api-release/amazon-sp-api-sdk-js/src/notifications_v1/index.js'
import { arnOf, receive } from '../support/notifications.ts'
import { ReportsClient } from '../support/reports.ts'
import { NOTIFICATIONS, startTestSouk, type TestSouk } from '../support/souk.ts'

type Answer = { payload?: Record<string, never> }

describe("the vendor's JavaScript SDK", () => {
  let souk: TestSouk
  let seller: NotificationsSpApi.NotificationsApi
  let grantless: NotificationsSpApi.NotificationsApi
  beforeAll(async () => {
    souk = await startTestSouk()
    const api = (token: string) =>
      new NotificationsSpApi.NotificationsApi(
        new NotificationsSpApi.ApiClient(souk.url).applyXAmzAccessTokenToRequest(token),
      )
    seller = api(await souk.tokenFor(souk.demo.refreshToken))
    grantless = api(await souk.grantlessToken(NOTIFICATIONS))
  })

  const TYPE = 'REPORT_PROCESSING_FINISHED'

  test('creates a destination, subscribes, receives, and deletes both', async () => {
    const arn = arnOf('vendor')
    const { payload: destination } = (await grantless.createDestination({
      name: 'Vendor',
      resourceSpecification: { sqs: { arn } },
    })) as Answer
    const { destinationId = '' } = destination ?? {}
    expect(destination).toMatchObject({ name: 'Vendor', resource: { sqs: { arn } } })
    expect(await grantless.getDestination(destinationId)).toMatchObject({ payload: { destinationId } })
    expect(await grantless.getDestinations()).toMatchObject({ payload: [{ destinationId }] })

    const body = { payloadVersion: '2020-09-04', destinationId }
    const { payload: subscription } = (await seller.createSubscription(TYPE, body)) as Answer
    const { subscriptionId = '' } = subscription ?? {}
    expect(await seller.getSubscription(TYPE)).toMatchObject({ payload: { subscriptionId, ...body } })
    expect(await seller.getSubscriptions([TYPE])).toMatchObject({ payload: { subscriptions: [{ subscriptionId }] } })
    expect(await grantless.getSubscriptionById(subscriptionId, TYPE)).toMatchObject({ payload: { subscriptionId } })
    await expect(seller.createSubscription(TYPE, body)).rejects.toMatchObject({ status: 409 })

    await grantless.sendTestNotification(TYPE, { destinationId, testNotification: { payloadVersion: '2020-09-04' } })
    const { reportId } = await new ReportsClient(souk).finished()
    const received = await receive(souk.queueUrl, 'vendor')
    expect(received).toHaveLength(2)
    expect(received.at(-1)).toMatchObject({ payload: { reportProcessingFinishedNotification: { reportId } } })

    await expect(grantless.deleteDestination(destinationId)).rejects.toMatchObject({ status: 403 })
    await grantless.deleteSubscriptionById(subscriptionId, TYPE)
    await grantless.deleteDestination(destinationId)
    expect(await grantless.getDestinations()).toMatchObject({ payload: [] })
  })

  test('sends a directive with a filter, and throws an error with the position for an invalid one', async () => {
    const { payload } = (await grantless.createDestination({
      name: 'Filtered',
      resourceSpecification: { sqs: { arn: arnOf('filtered') } },
    })) as Answer
    const { destinationId = '' } = payload ?? {}
    const body = (filterExpression: string) => ({
      payloadVersion: '1.0',
      destinationId,
      processingDirective: { filterExpression },
    })
    const refused = seller.createSubscription('ORDER_CHANGE', body('a +'))
    await expect(refused).rejects.toMatchObject({
      status: 400,
      response: { body: { errors: [{ code: 'InvalidInput', details: expect.stringContaining('position 3') }] } },
    })
    expect(await seller.createSubscription('ORDER_CHANGE', body('true'))).toMatchObject({ payload: { destinationId } })
  })
})
