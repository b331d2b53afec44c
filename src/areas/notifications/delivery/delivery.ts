import { hash } from 'node:crypto'

export const DELIVERY_STATES = ['PENDING', 'DEAD'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A notification on its way to one destination. */
export interface NewDelivery {
  applicationId: string
  destinationId: string
  /** What the receiver knows it by, however often it arrives. */
  deliveryId: string
  eventId: string
  /** None of a test. */
  sellerId?: string
  /** None of a test. */
  subscriptionId?: string
  notificationType: string
  payloadVersion: string
  /** Not to be sent before. */
  dueAt: Date
  eventTime: Date
  /** JSON */
  payload: string
}

export interface Delivery extends NewDelivery {
  state: DeliveryState
  attempts: number
  lastError?: string
}

export type DeliveryKey = Pick<Delivery, 'applicationId' | 'destinationId' | 'deliveryId'>

/** A UUID that the same parts always lead to: whoever does something again tells of the same thing. */
export function uuidOf(...parts: readonly string[]): string {
  const digits = hash('sha256', parts.join('\n'), 'hex')
  const variant = '89ab'[Number.parseInt(digits[16] as string, 16) % 4]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
