import { Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { AttributesCard } from '../../ui/attributes-card.tsx'
import { BuyerOrder } from '../../ui/buyer-order.tsx'
import { ForSeller, type Selling } from '../../ui/for-seller.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { ListingImage } from '../../ui/listing-image.tsx'
import { ListingStatus } from '../../ui/listing-status.tsx'
import { Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import { Page } from '../../ui/page.tsx'
import { PriceHistory } from '../../ui/price-history.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Edit } from './edit.tsx'
import { History } from './history.tsx'
import { Issues } from './issues.tsx'
import { type Listing, listingQuery } from './listing.ts'
import { listingRoute } from './route.ts'

export function ListingPage() {
  const { sku } = listingRoute.useParams()
  return (
    <Page
      title={sku}
      about={
        <AnchorLink to="/listings" size="sm">
          All listings
        </AnchorLink>
      }
    >
      <ForSeller>{(selling) => <OneListing selling={selling} sku={sku} />}</ForSeller>
    </Page>
  )
}

function OneListing({ selling, sku }: { selling: Selling; sku: string }) {
  const query = useQuery(listingQuery(selling, sku))
  return (
    <Loaded query={query}>
      {(listing) => (
        <Stack>
          <Head selling={selling} listing={listing} />
          <Grid>
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Stack>
                <IssuesCard issues={listing.issues ?? []} />
                <AttributesCard attributes={listing.attributes ?? {}} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack>
                <History selling={selling} sku={listing.sku} />
                <Market listing={listing} marketplaceId={selling.marketplaceId} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Loaded>
  )
}

function Head({ selling, listing }: { selling: Selling; listing: Listing }) {
  const navigate = useNavigate()
  const summary = listing.summaries?.[0]
  const price = listing.offers?.[0]?.price
  const currency = price?.currencyCode ?? currencyOf(listing)
  return (
    <Group justify="space-between">
      <Group wrap="nowrap">
        <ListingImage link={summary?.mainImage?.link} size={64} />
        <div>
          <Text fw={500}>{summary?.itemName ?? 'Without a name'}</Text>
          <Group gap="xs">
            <ListingStatus status={summary?.status} />
            <Text size="sm">{formatMoney(price?.amount, price?.currencyCode)}</Text>
            <Text size="sm">{quantityText(listing)}</Text>
          </Group>
          {summary && (
            <Text size="xs" c="dimmed" component="div">
              {`${summary.productType}, ${summary.conditionType ?? 'no condition'}, updated `}
              <Moment time={summary.lastUpdatedDate} />
            </Text>
          )}
        </div>
      </Group>
      <Group gap="xs">
        {currency && <Edit selling={selling} listing={listing} currency={currency} />}
        {summary?.status.includes('BUYABLE') && (
          <BuyerOrder
            {...selling}
            sku={listing.sku}
            variant="default"
            onOrdered={(orderId) => void navigate({ to: '/orders/$orderId', params: { orderId } })}
          />
        )}
      </Group>
    </Group>
  )
}

/** The currency of a price that is not an offer, such as one of a listing with errors. */
function currencyOf({ attributes }: Listing): string | undefined {
  const entry = attributes?.purchasable_offer?.[0] as { currency?: unknown } | undefined
  return typeof entry?.currency === 'string' ? entry.currency : undefined
}

function quantityText({ fulfillmentAvailability = [] }: Listing): string {
  const own = fulfillmentAvailability[0]
  if (own === undefined) return 'No quantity'
  return own.quantity === undefined ? 'Fulfilled by the marketplace' : `${own.quantity} in stock`
}

function IssuesCard({ issues }: { issues: NonNullable<Listing['issues']> }) {
  return (
    <Card withBorder component="section" aria-labelledby="issues">
      <Title order={2} size="h4" mb="xs" id="issues">
        Issues
      </Title>
      {issues.length > 0 ? (
        <Issues issues={issues} />
      ) : (
        <Text size="sm" c="dimmed">
          The listing has no issues.
        </Text>
      )}
    </Card>
  )
}

function Market({ listing, marketplaceId }: { listing: Listing; marketplaceId: string }) {
  const asin = listing.summaries?.[0]?.asin
  if (!asin) {
    return (
      <Text size="sm" c="dimmed">
        The listing does not belong to a product yet.
      </Text>
    )
  }
  return (
    <Stack>
      <AnchorLink to="/products/$asin" params={{ asin }}>
        {`Product ${asin}: all offers`}
      </AnchorLink>
      <PriceHistory asin={asin} marketplaceId={marketplaceId} />
    </Stack>
  )
}
