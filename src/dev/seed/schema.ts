import { type Static, type TSchema, Type } from 'typebox'
import { Application } from '../../marketplace/accounts/applications.ts'
import { Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { type Participation, Seller } from '../../marketplace/accounts/sellers.ts'
import { CatalogItem } from '../../marketplace/catalog/index.ts'
import { CONDITION_TYPES } from '../../marketplace/offers/conditions.ts'
import { CompetitorOffer, MAX_OFFER_MINOR } from '../../marketplace/offers/offers.ts'
import { ProductTypeDefinition, REQUIREMENTS } from '../../marketplace/product-types/index.ts'
import {
  ApplicationId,
  Asin,
  CurrencyCode,
  DateTime,
  MarketplaceId,
  MinorUnits,
  Name,
  Nullable,
  OrderId,
  QueueArn,
  SellerId,
  Sku,
  strict,
} from '../../marketplace/schema.ts'
import { Feedback } from '../../marketplace/trade/feedback.ts'
import { Order, OrderItem } from '../../marketplace/trade/orders.ts'
import { Return } from '../../marketplace/trade/returns.ts'

/** Of a section. */
export const MAX_ITEMS = 200_000
const MAX_ACCOUNTS = 10_000
/** More than fit into a file, whose size is limited: a grant may have any number, and an import takes what an export has. */
const MAX_DIGESTS = 2_000_000

const list = <Item extends TSchema>(item: Item, description: string, maxItems = MAX_ITEMS) =>
  Type.Optional(Type.Array(item, { maxItems, description }))

const Credential = Type.String({ pattern: '^[\\x21-\\x7e]{1,500}$' })
const Digest = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'SHA-256 in base64url, as an export has it' })
const Id = Type.String({ pattern: '^[\\w.:-]{1,100}$' })
const Day = Type.String({ format: 'date-time', pattern: '^[0-9-]{10}$', examples: ['2026-01-31'] })
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })

const SeedSeller = Type.Object(
  {
    ...Seller.properties,
    businessType: Type.Optional({ ...Seller.properties.businessType, description: 'Default: PRIVATE_LIMITED' }),
    sellingPlan: Type.Optional({ ...Seller.properties.sellingPlan, description: 'Default: PROFESSIONAL' }),
    participations: Type.Array(
      Type.Union([
        MarketplaceId,
        Type.Object(
          {
            marketplaceId: MarketplaceId,
            storeName: Type.Optional({ ...Name, description: 'Default: the id of the seller' }),
            isParticipating: Type.Optional(Type.Boolean({ description: 'Default: true' })),
            hasSuspendedListings: Type.Optional(Type.Boolean({ description: 'Default: false' })),
          } satisfies Record<keyof Participation, TSchema>,
          strict,
        ),
      ]),
      { maxItems: 50, description: 'Marketplaces, as ids or with a store name' },
    ),
  },
  strict,
)

const SeedAuthorization = Type.Object(
  {
    sellerId: SellerId,
    authorizedAt: Type.Optional(DateTime),
    refreshToken: Type.Optional({ ...Credential, description: 'Default: one that follows from the ids' }),
    refreshTokenDigests: Type.Optional(
      Type.Array(Digest, { maxItems: MAX_DIGESTS, description: 'Of refresh tokens that are not in the file' }),
    ),
  },
  strict,
)

const SeedApplication = Type.Object(
  {
    ...Application.properties,
    name: Type.Optional({ ...Name, description: 'Default: the id' }),
    clientId: Type.Optional({ ...Credential, description: 'Default: one that follows from the id' }),
    clientSecret: Type.Optional({ ...Credential, description: 'Default: one that follows from the id' }),
    clientSecretDigest: Type.Optional(Digest),
    clientSecretExpiresAt: Type.Optional(DateTime),
    previousClientSecret: Type.Optional(
      Type.Object({ digest: Digest, endsAt: DateTime, expiresAt: Type.Optional(DateTime) }, strict),
    ),
    signingKeyId: Type.Optional({ ...Credential, description: 'Default: one that follows from the id' }),
    previousSigningKey: Type.Optional(Type.Object({ keyId: Credential, endsAt: DateTime }, strict)),
    authorizations: Type.Optional(
      Type.Array(Type.Union([SellerId, SeedAuthorization]), {
        maxItems: MAX_ACCOUNTS,
        description: 'Sellers who authorized it, as ids or with credentials',
      }),
    ),
  },
  strict,
)

const Issue = Type.Object(
  {
    kind: Type.String({ maxLength: 100 }),
    attribute: Type.Optional(Type.String({ maxLength: 500 })),
    place: Type.Optional(Type.String({ maxLength: 1000 })),
    limit: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  strict,
)

const SeedListing = Type.Object(
  {
    sellerId: SellerId,
    sku: Sku,
    marketplaceId: MarketplaceId,
    productType: Type.Optional(
      Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$', description: 'Default: that of the catalog item' }),
    ),
    requirements: Type.Optional(Type.Enum(REQUIREMENTS, { description: 'Default: LISTING' })),
    asin: Type.Optional({ ...Asin, description: 'Without it, the listing is new, and gets one when it is processed' }),
    fnSku: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{1,20}$' })),
    state: Type.Optional(Type.Enum(['UNKNOWN'], { description: 'UNKNOWN: it was changed without being created' })),
    priceMinor: Type.Optional({ ...MinorUnits, maximum: MAX_OFFER_MINOR, minimum: 1 }),
    quantity: Type.Optional({ ...Count, description: 'What is left after the orders of the file' }),
    conditionType: Type.Optional(Type.Enum(CONDITION_TYPES, { description: 'Default: new_new' })),
    fulfillmentChannel: Type.Optional(Type.Enum(['MFN', 'AFN'], { description: 'Default: MFN' })),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 10_000 }), {
        description: 'As in putListingsItem. Default: those that follow from the catalog item and the other fields',
      }),
    ),
    issues: Type.Optional(Type.Array(Issue, { maxItems: 1000, description: 'Default: those that processing finds' })),
    createdAt: Type.Optional(DateTime),
    updatedAt: Type.Optional(DateTime),
  },
  strict,
)

const SeedOrderItem = Type.Object(
  {
    ...OrderItem.properties,
    orderItemId: Type.Optional({ ...OrderItem.properties.orderItemId, description: 'Default: follows from the order' }),
    asin: Type.Optional({ ...OrderItem.properties.asin, description: 'Default: that of the listing' }),
    title: Type.Optional({ ...OrderItem.properties.title, description: 'Default: that of the listing' }),
    priceMinor: Type.Optional({
      ...OrderItem.properties.priceMinor,
      description: 'Of all pieces. Default: by the price of the listing',
    }),
  },
  strict,
)

const SeedOrder = Type.Object(
  {
    ...Order.properties,
    fulfillmentChannel: Type.Optional({
      ...Order.properties.fulfillmentChannel,
      description: 'Default: that of the first listing',
    }),
    currencyCode: Type.Optional({ ...CurrencyCode, description: 'Default: that of the marketplace' }),
    items: Type.Array(SeedOrderItem, { minItems: 1, maxItems: 100 }),
    stockTaken: Type.Optional(
      Type.Array(Type.Object({ sku: Sku, pieces: Type.Integer({ minimum: 1, maximum: 1_000_000 }) }, strict), {
        maxItems: 100,
        description: 'What a cancellation gives back to the listings. Default: all pieces, if the order takes stock',
      }),
    ),
  },
  strict,
)

const SeedOffer = Type.Object(
  {
    ...CompetitorOffer.properties,
    conditionType: Type.Optional({ ...CompetitorOffer.properties.conditionType, description: 'Default: new_new' }),
    fulfillmentType: Type.Optional({ ...CompetitorOffer.properties.fulfillmentType, description: 'Default: MFN' }),
    currencyCode: Type.Optional({ ...CurrencyCode, description: 'Default: that of the marketplace' }),
  },
  strict,
)

const SeedPriceHistory = Type.Object(
  {
    marketplaceId: MarketplaceId,
    asin: Asin,
    currencyCode: Type.Optional({ ...CurrencyCode, description: 'Default: that of the marketplace' }),
    closings: Type.Array(
      Type.Object(
        {
          day: Day,
          priceMinor: Nullable({ ...MinorUnits, description: 'With shipping. Null if no offer was featured' }),
        },
        strict,
      ),
      { maxItems: 400, description: 'The featured price from each day on' },
    ),
  },
  strict,
)

const SeedSolicitation = Type.Object(
  {
    sellerId: SellerId,
    orderId: OrderId,
    sentThrough: Type.Optional(Type.Enum(['api', 'console'], { description: 'Default: api' })),
    sentAt: Type.Optional(DateTime),
  },
  strict,
)

const SeedDestination = Type.Object(
  {
    applicationId: ApplicationId,
    destinationId: Id,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Default: the id' })),
    sqs: Type.Optional(Type.Object({ arn: QueueArn }, strict)),
    eventBridge: Type.Optional(
      Type.Object(
        {
          accountId: Type.String({ pattern: '^\\d{12}$' }),
          region: Type.String({ pattern: '^[a-z]{2,3}(-[a-z]+)+-\\d{1,2}$' }),
        },
        strict,
      ),
    ),
    createdAt: Type.Optional(DateTime),
  },
  { ...strict, description: 'Exactly one of sqs and eventBridge' },
)

const SeedSubscription = Type.Object(
  {
    sellerId: SellerId,
    applicationId: ApplicationId,
    notificationType: Type.String({ pattern: '^[A-Z0-9_]{1,100}$' }),
    payloadVersion: Type.Optional(
      Type.String({ minLength: 1, maxLength: 50, description: 'Default: 1.0', default: '1.0' }),
    ),
    destinationId: Id,
    subscriptionId: Type.Optional({ ...Id, description: 'Default: one that follows from the other fields' }),
    processingDirective: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'As in createSubscription' }),
    ),
    createdAt: Type.Optional(DateTime),
  },
  strict,
)

export const FORMAT_VERSION = 1

/** A whole marketplace, as a file has it and an export writes it. */
export const Seed = Type.Object(
  {
    version: Type.Optional(Type.Literal(FORMAT_VERSION, { description: 'Of the format' })),
    clock: Type.Optional(
      Type.Object(
        {
          time: DateTime,
          frozen: Type.Optional(Type.Boolean({ description: 'Whether the clock stands still. Default: false' })),
        },
        { ...strict, description: 'The time at which the marketplace begins. Default: that of the system' },
      ),
    ),
    marketplaces: Type.Optional(
      Type.Array(Type.Union([MarketplaceId, Marketplace]), {
        maxItems: 1000,
        description: 'Ids of public marketplaces, or marketplaces of your own. Default: all public ones',
      }),
    ),
    productTypes: list(ProductTypeDefinition, 'Product types besides the built-in ones', 1000),
    sellers: list(SeedSeller, 'Sellers', MAX_ACCOUNTS),
    applications: list(SeedApplication, 'Applications with their credentials, and who authorized them', MAX_ACCOUNTS),
    catalogItems: list(CatalogItem, 'Products, per marketplace'),
    listings: list(SeedListing, "Sellers' listings, per marketplace"),
    offers: list(SeedOffer, "Competitors' offers", 1_000_000),
    priceHistories: list(SeedPriceHistory, 'Featured prices of the past 90 days'),
    orders: list(SeedOrder, 'Orders'),
    returns: list(Return, 'Returns'),
    feedback: list(Feedback, "Buyers' feedback"),
    solicitations: list(SeedSolicitation, 'Review requests that were sent'),
    destinations: list(SeedDestination, 'Destinations of notifications', 100_000),
    subscriptions: list(SeedSubscription, 'Subscriptions to notifications'),
  },
  { ...strict, description: 'A marketplace of Souk' },
)
export type Seed = Static<typeof Seed>
export type SectionName = Exclude<keyof Seed, 'version' | 'clock'>

/** The published JSON Schema of the format. */
export const seedJsonSchema = (): object => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A marketplace of Souk',
  ...Seed,
})

/** As the file of the package. */
export const seedSchemaText = (): string => `${JSON.stringify(seedJsonSchema(), null, 2)}\n`
