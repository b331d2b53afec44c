import type { Target } from '../../../platform/messaging/port.ts'

export interface Destination {
  applicationId: string
  destinationId: string
  name: string
  target: Target
}

/** The partner event source of an application, named as by the live service. */
export const eventSourceOf = (applicationId: string) => `sellingpartnerapi.amazon.com/${applicationId}`
