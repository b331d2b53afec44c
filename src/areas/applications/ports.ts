import type { Transaction } from '../../platform/database/port.ts'

export interface ApplicationNotification {
  applicationId: string
  queueArn: string
  type: string
  payload: object
}

/** Sends notifications about the application itself, which concern no seller. The area of notifications implements it. */
export interface ApplicationNotifier {
  notify(tx: Transaction, notification: ApplicationNotification): Promise<void>
}
