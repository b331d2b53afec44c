import { Badge, Card, Group, Table, Text, Title } from '@mantine/core'
import { IconTrophy } from '@tabler/icons-react'
import { AnchorLink } from '../../ui/links.tsx'
import { formatMoney } from '../../ui/money.ts'
import { JoinAct, LeaveAct, SetPriceAct } from './competitor-acts.tsx'
import type { Offer, ProductOffers } from './product.ts'

interface OffersProps {
  product: ProductOffers
  /** Whether competitors can be played. */
  hasActs: boolean
}

export function Offers({ product, hasActs }: OffersProps) {
  const { offers, offerCount } = product
  return (
    <Card withBorder component="section" aria-labelledby="offers">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="offers">
          {offerCount === 1 ? '1 offer' : `${offerCount} offers`}
        </Title>
        {hasActs && <JoinAct product={product} />}
      </Group>
      <Table.ScrollContainer minWidth={900}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Seller</Table.Th>
              <Table.Th>Offer</Table.Th>
              <Table.Th ta="end">Price</Table.Th>
              <Table.Th ta="end">Landed</Table.Th>
              <Table.Th ta="end">After bonuses</Table.Th>
              <Table.Th>Why</Table.Th>
              {hasActs && <Table.Th>Competitor</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {offers.map((offer) => (
              <OfferRow key={keyOf(offer)} offer={offer} product={product} hasActs={hasActs} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {offers.length < offerCount && (
        <Text size="sm" c="dimmed">
          {`The ${offers.length} best offers are shown.`}
        </Text>
      )}
    </Card>
  )
}

/** Without the rank: it changes while a dialog of the row is open. */
const keyOf = ({ sellerId, sku, condition, subCondition, fulfillmentType }: Offer) =>
  [sellerId, sku, condition, subCondition, fulfillmentType].join(' ')

const money = ({ amount, currencyCode }: Offer['landedPrice']) => formatMoney(amount, currencyCode)

function OfferRow({ offer, product, hasActs }: OffersProps & { offer: Offer }) {
  const { listingPrice, shippingPrice } = offer
  return (
    <Table.Tr>
      <Table.Td>
        <Seller offer={offer} />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{conditionOf(offer)}</Text>
        <Text size="xs" c="dimmed">
          {fulfillmentOf(offer)}
        </Text>
      </Table.Td>
      <Table.Td ta="end">
        <Text size="sm">{money(listingPrice)}</Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {shippingPrice.amount > 0 ? `+ ${money(shippingPrice)}` : 'Free shipping'}
        </Text>
      </Table.Td>
      <Table.Td ta="end">{money(offer.landedPrice)}</Table.Td>
      <Table.Td ta="end">
        <Text size="sm">{money(offer.priceAfterBonuses)}</Text>
        <Text size="xs" c="dimmed">
          {bonusesOf(offer)}
        </Text>
      </Table.Td>
      <Table.Td maw={260}>
        <Text size="sm">{offer.reason}</Text>
      </Table.Td>
      {hasActs && (
        <Table.Td>
          {!offer.isOwn && (
            <Group gap={4} wrap="nowrap">
              <SetPriceAct product={product} offer={offer} />
              <LeaveAct product={product} offer={offer} />
            </Group>
          )}
        </Table.Td>
      )}
    </Table.Tr>
  )
}

function Seller({ offer: { isOwn, isFeatured, sku, sellerId, feedback } }: { offer: Offer }) {
  return (
    <>
      {isFeatured && (
        <Badge variant="light" color="teal" tt="none" leftSection={<IconTrophy size={12} aria-hidden />}>
          Featured
        </Badge>
      )}
      <Text size="sm" fw={isOwn ? 600 : undefined}>
        {isOwn ? 'Your offer' : sellerId}
      </Text>
      {isOwn && sku !== undefined && (
        <AnchorLink to="/listings/$sku" params={{ sku }} size="xs">
          {sku}
        </AnchorLink>
      )}
      {feedback && (
        <Text size="xs" c="dimmed">
          {`${feedback.percentPositive} % of ${feedback.count} ratings positive`}
        </Text>
      )}
    </>
  )
}

const conditionOf = ({ condition, subCondition }: Offer) =>
  condition === subCondition ? condition : `${condition}, ${subCondition}`

const fulfillmentOf = ({ fulfillmentType, prime }: Offer) =>
  [fulfillmentType === 'AFN' ? 'By the marketplace' : 'By the seller', prime !== 'NONE' && 'Prime']
    .filter(Boolean)
    .join(', ')

/** By how much the marketplace prefers the offer. */
function bonusesOf({ bonuses }: Offer): string {
  const percent = bonuses.fulfilledByMarketplacePercent + bonuses.primePercent + bonuses.excellentSellerPercent
  return percent > 0 ? `${percent} % bonus` : 'No bonus'
}
