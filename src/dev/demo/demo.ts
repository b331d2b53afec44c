/** Ids and credentials of the demo marketplace. Programs rely on the format, which `souk demo --json` prints. */
export interface Demo {
  clientId: string
  clientSecret: string
  /** Of the demo seller. */
  refreshToken: string
  applicationId: string
  sellerId: string
  marketplaceId: string
  productType: string
  skus: string[]
  asins: string[]
  /** Orders of the demo seller, by whether a review can be requested for them. */
  orders: {
    eligible: string[]
    notDelivered: string
    tooEarly: string
    tooLate: string
    optedOut: string
    alreadySolicited: string
  }
  otherSeller: { sellerId: string; refreshToken: string }
  /** Of the operator API, sent as `Authorization: Bearer <key>`. */
  operatorKey: string
  /** For AWS Signature Version 4. */
  signingKey: { accessKeyId: string; secretAccessKey: string }
}
