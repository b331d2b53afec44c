import { Card, Stack, Table, Text, Title } from '@mantine/core'
import { AnchorLink } from '../../ui/links.tsx'
import { Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import type { Order } from './order.ts'

export function Items({ order: { orderItems, proceeds } }: { order: Order }) {
  const total = proceeds?.grandTotal
  return (
    <Card withBorder component="section" aria-labelledby="items">
      <Title order={2} size="h4" mb="xs" id="items">
        Items
      </Title>
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              <Table.Th ta="end">Ordered</Table.Th>
              <Table.Th ta="end">Shipped</Table.Th>
              <Table.Th ta="end">Price</Table.Th>
              <Table.Th ta="end">Total</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {orderItems.map((item) => (
              <Table.Tr key={item.orderItemId}>
                <Table.Td>
                  <Product {...item.product} />
                  {item.cancellation?.cancellationRequest && (
                    <Text size="xs" c="red">
                      {`The buyer asks to cancel it: ${item.cancellation.cancellationRequest.cancelReason ?? 'no reason given'}`}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end">{item.quantityOrdered}</Table.Td>
                <Table.Td ta="end">{item.fulfillment?.quantityFulfilled ?? 0}</Table.Td>
                <Table.Td ta="end">{moneyOf(item.product.price?.unitPrice)}</Table.Td>
                <Table.Td ta="end">{moneyOf(item.proceeds?.proceedsTotal)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th colSpan={4}>Total</Table.Th>
              <Table.Th ta="end">{moneyOf(total)}</Table.Th>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </Table.ScrollContainer>
    </Card>
  )
}

const moneyOf = (money: { amount: string; currencyCode: string } | undefined) =>
  formatMoney(money?.amount, money?.currencyCode)

function Product({ asin, title, sellerSku }: Order['orderItems'][number]['product']) {
  return (
    <>
      <Text size="sm">{title}</Text>
      <Text size="xs" c="dimmed">
        {sellerSku && (
          <AnchorLink to="/listings/$sku" params={{ sku: sellerSku }} size="xs">
            {sellerSku}
          </AnchorLink>
        )}
        {' · '}
        {asin && (
          <AnchorLink to="/products/$asin" params={{ asin }} size="xs">
            {asin}
          </AnchorLink>
        )}
      </Text>
    </>
  )
}

export function Recipient({ order: { buyer, recipient, fulfillment } }: { order: Order }) {
  const address = recipient?.deliveryAddress
  const lines = address && [
    address.name,
    address.companyName,
    address.addressLine1,
    address.addressLine2,
    address.addressLine3,
    [address.postalCode, address.city].filter(Boolean).join(' '),
    [address.stateOrRegion, address.countryCode].filter(Boolean).join(', '),
    address.phone,
  ]
  const isBySeller = fulfillment?.fulfilledBy === 'MERCHANT'
  return (
    <Card withBorder component="section" aria-labelledby="buyer">
      <Title order={2} size="h4" mb="xs" id="buyer">
        Buyer and delivery
      </Title>
      <Stack gap="xs">
        <div>
          <Text size="sm">{buyer?.buyerName ?? 'The buyer is not known yet.'}</Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {buyer?.buyerEmail}
          </Text>
        </div>
        <address style={{ fontStyle: 'normal' }}>
          {lines ? (
            lines.filter(Boolean).map((line) => (
              <Text key={line} size="sm">
                {line}
              </Text>
            ))
          ) : (
            <Text size="sm" c="dimmed">
              The address is not known yet.
            </Text>
          )}
        </address>
        <Text size="sm">{isBySeller ? 'Shipped by the seller' : 'Fulfilled by the marketplace'}</Text>
        <Range label="Ship by" time={fulfillment?.shipByWindow?.latestDateTime} />
        <Range label="Deliver by" time={fulfillment?.deliverByWindow?.latestDateTime} />
      </Stack>
    </Card>
  )
}

function Range({ label, time }: { label: string; time: string | undefined }) {
  if (!time) return null
  return (
    <Text size="sm" component="div">
      {label} <Moment time={time} />
    </Text>
  )
}
