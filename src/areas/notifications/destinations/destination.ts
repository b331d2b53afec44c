import type { Target } from '../../../platform/messaging/port.ts'

export interface Destination {
  applicationId: string
  destinationId: string
  name: string
  target: Target
}

/** The partner event source by which an application's events are known, as the live service names them. */
export const eventSourceOf = (applicationId: string) => `sellingpartnerapi.amazon.com/${applicationId}`
