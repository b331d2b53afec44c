import { beforeAll, describe, expect, test } from 'vitest'
import { notificationConforms } from '../../support/notification-schemas.ts'
import { type NotificationsClient, notificationsClient, receive } from '../../support/notifications.ts'
import { modelsArePresent } from '../../support/public-models.ts'
import { NOTHING_HAPPENED, REPORTS, ReportsClient } from '../../support/reports.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: NotificationsClient
let reports: ReportsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = notificationsClient(souk)
  reports = new ReportsClient(souk)
})

describe('REPORT_PROCESSING_FINISHED is sent', () => {
  let subscriptionId: string
  beforeAll(async () => {
    ;({ subscriptionId } = await client.listen('reports', 'REPORT_PROCESSING_FINISHED', {
      payloadVersion: '2020-09-04',
    }))
  })
  const received = async () => {
    await souk.idle()
    return receive(souk.queueUrl, 'reports')
  }

  test('with the document id when a report is DONE', async () => {
    const report = await reports.finished()
    const { sellerId, applicationId } = souk.demo
    expect(await received()).toEqual([
      {
        notificationVersion: '2020-09-04',
        notificationType: 'REPORT_PROCESSING_FINISHED',
        payloadVersion: '2020-09-04',
        eventTime: souk.clock.now().toISOString(),
        payload: {
          reportProcessingFinishedNotification: {
            sellerId,
            accountId: `amzn1.merchant.o.${sellerId}`,
            reportId: report.reportId,
            reportType: report.reportType,
            processingStatus: 'DONE',
            reportDocumentId: report.reportDocumentId,
          },
        },
        notificationMetadata: {
          applicationId,
          subscriptionId,
          publishTime: souk.clock.now().toISOString(),
          notificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    ])
  })

  test('when a report has no data', async () => {
    const { reportId } = await reports.finished(NOTHING_HAPPENED)
    const [notification, ...others] = await received()
    expect(others).toEqual([])
    expect(notification?.payload).toEqual({
      reportProcessingFinishedNotification: expect.objectContaining({ reportId, processingStatus: 'CANCELLED' }),
    })
  })

  test('when a report is cancelled, without processing times', async () => {
    const slow = await startTestSouk({ delay: 1000 })
    const other = notificationsClient(slow)
    await other.listen('cancelled', 'REPORT_PROCESSING_FINISHED', { payloadVersion: '2020-09-04' })
    const its = new ReportsClient(slow)
    const reportId = await its.created()
    await its.delete(`${REPORTS}/${reportId}`)
    await slow.idle()
    const [notification] = await receive(slow.queueUrl, 'cancelled')
    expect(notification?.payload).toEqual({
      reportProcessingFinishedNotification: expect.objectContaining({ reportId, processingStatus: 'CANCELLED' }),
    })
    expect(await its.report(reportId)).not.toHaveProperty('processingEndTime')
  })

  test.skipIf(!modelsArePresent)('in the format of its public schema', async () => {
    await reports.finished()
    const [notification] = await received()
    notificationConforms('REPORT_PROCESSING_FINISHED', '2020-09-04', notification)
  })
})
