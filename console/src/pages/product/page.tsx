import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { AttributesCard } from '../../ui/attributes-card.tsx'
import { ForSeller, type Selling } from '../../ui/for-seller.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { ListingImage } from '../../ui/listing-image.tsx'
import { Page } from '../../ui/page.tsx'
import { PriceHistory } from '../../ui/price-history.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Offers } from './offers.tsx'
import { catalogQuery, offersQuery } from './product.ts'
import { productRoute } from './route.ts'

export function ProductPage() {
  const { asin } = productRoute.useParams()
  return (
    <Page
      title={`Product ${asin}`}
      about={
        <AnchorLink to="/listings" search={{ identifier: asin, type: 'ASIN' }} size="sm">
          Listings of the product
        </AnchorLink>
      }
    >
      <ForSeller>{(selling) => <Product selling={selling} asin={asin} />}</ForSeller>
    </Page>
  )
}

function Product({ selling, asin }: { selling: Selling; asin: string }) {
  const { hasControlPlane } = useSession()
  const offers = useQuery(offersQuery(selling, asin))
  return (
    <Loaded query={offers}>
      {(product) => (
        <Stack>
          <Summary selling={selling} asin={asin} />
          <Offers product={product} hasActs={hasControlPlane} />
          <PriceHistory asin={asin} marketplaceId={selling.marketplaceId} />
          <ProductAttributes selling={selling} asin={asin} />
        </Stack>
      )}
    </Loaded>
  )
}

function ProductAttributes({ selling, asin }: { selling: Selling; asin: string }) {
  const { data } = useQuery(catalogQuery(selling, asin))
  return data?.attributes ? <AttributesCard attributes={listsOf(data.attributes)} /> : null
}

/** The schema of the operation leaves open what an attribute is; it is a list. */
const listsOf = (attributes: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]))

function Summary({ selling, asin }: { selling: Selling; asin: string }) {
  const { data } = useQuery(catalogQuery(selling, asin))
  const summary = data?.summaries?.[0]
  return (
    <Group wrap="nowrap" mih={64}>
      <ListingImage link={data?.images?.[0]?.images?.[0]?.link} size={64} />
      <div>
        <Text fw={500}>{summary?.itemName}</Text>
        <Text size="sm" c="dimmed">
          {[summary?.brand, summary?.color, summary?.size].filter(Boolean).join(', ')}
        </Text>
      </div>
    </Group>
  )
}
