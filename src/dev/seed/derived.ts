import { hash } from 'node:crypto'

/**
 * Ids and credentials that a file leaves out follow from its ids, so they are equal on every machine. They are no
 * secrets.
 */
const digits = (kind: string, parts: readonly string[], length: number): string =>
  hash('sha256', ['souk seed', kind, ...parts].join(' '), 'hex').slice(0, length)

export const derivedClientId = (applicationId: string) =>
  `amzn1.application-oa2-client.${digits('client', [applicationId], 32)}`
export const derivedClientSecret = (applicationId: string) =>
  `amzn1.oa2-cs.v1.${digits('client secret', [applicationId], 64)}`
export const derivedSigningKeyId = (applicationId: string) =>
  `AKIA${digits('signing key', [applicationId], 16).toUpperCase()}`
export const derivedRefreshToken = (applicationId: string, sellerId: string) =>
  `Atzr|souk-seed-${digits('refresh token', [applicationId, sellerId], 48)}`
export const derivedFnSku = (sellerId: string, sku: string) => `X00${digits('fnSku', [sellerId, sku], 7).toUpperCase()}`

export function derivedSubscriptionId(...parts: string[]): string {
  const all = digits('subscription', parts, 32)
  return [all.slice(0, 8), all.slice(8, 12), all.slice(12, 16), all.slice(16, 20), all.slice(20)].join('-')
}

/** 14 digits: the last ones of the order, and the position. */
export const derivedOrderItemId = (orderId: string, index: number): string =>
  `${orderId.replaceAll('-', '').slice(-11)}${String(index + 1).padStart(3, '0')}`
