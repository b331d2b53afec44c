import { hash } from 'node:crypto'
import type { JsonText } from '../../../platform/outbox/event-payload.ts'

export const DELIVERY_STATES = ['PENDING', 'DEAD'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A notification for one destination. */
export interface NewDelivery {
  applicationId: string
  destinationId: string
  /** The notification id, the same for every attempt. */
  deliveryId: string
  eventId: string
  /** Absent for test notifications and those about the application. */
  sellerId?: string
  /** Absent for test notifications and those about the application. */
  subscriptionId?: string
  notificationType: string
  payloadVersion: string
  dueAt: Date
  eventTime: Date
  /** JSON */
  payload: string
}

/** A notification that a step of the fan-out writes. */
export interface PlannedDelivery extends Omit<NewDelivery, 'payload'> {
  payload: JsonText
}

export interface Delivery extends NewDelivery {
  state: DeliveryState
  attempts: number
  lastError?: string
}

export type DeliveryKey = Pick<Delivery, 'applicationId' | 'destinationId' | 'deliveryId'>

/** Returns the same UUID for the same parts, so that a repeated step creates the same delivery. */
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
