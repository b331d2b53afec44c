import type { ProcessingStatus } from '../../document-requests/status.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Transaction } from '../../platform/database/port.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { hasDocument, type Report } from './report.ts'
import { findReport, type ReportKey, updateReportStatus } from './store.ts'

export interface FinishReportDependencies {
  clock: Clock
  outbox: Outbox
}

/** Finishes a report and publishes REPORT_PROCESSING_FINISHED, unless it has already finished. */
export async function finishReport(
  tx: Transaction,
  { clock, outbox }: FinishReportDependencies,
  key: ReportKey,
  status: Extract<ProcessingStatus, 'DONE' | 'CANCELLED' | 'FATAL'>,
): Promise<void> {
  const before = await findReport(tx, key)
  if (!before) return
  const now = clock.now()
  // A report that was never started has no processing times.
  const changes = before.status === 'IN_QUEUE' ? {} : { endedAt: now }
  if (!(await updateReportStatus(tx, key, status, changes))) return
  const { sellerId } = key
  const payload = { reportProcessingFinishedNotification: renderNotification({ ...before, status }) }
  await outbox.append(tx, [{ sellerId, type: 'REPORT_PROCESSING_FINISHED', occurredAt: now, payload }])
}

const renderNotification = ({ sellerId, reportId, reportType, status, documentId }: Report) => ({
  sellerId,
  accountId: `amzn1.merchant.o.${sellerId}`,
  reportId,
  reportType,
  processingStatus: status,
  ...(documentId !== undefined && hasDocument(status) && { reportDocumentId: documentId }),
})
