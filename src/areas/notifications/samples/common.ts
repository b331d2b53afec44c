/** Made-up ids for samples. */
export const sample = {
  sellerId: 'A1SAMPLESELLER',
  accountId: 'amzn1.merchant.o.A1SAMPLESELLER',
  marketplaceId: 'ATVPDKIKX0DER',
  asin: 'B0SAMPLE01',
  sku: 'SAMPLE-SKU-1',
  orderId: '100-2000000-3000000',
} as const

/** Creates the payload of a test notification for an event that happens now. */
export type Sample = (now: string) => object

export const money = (Amount: number, CurrencyCode = 'USD') => ({ Amount, CurrencyCode })
