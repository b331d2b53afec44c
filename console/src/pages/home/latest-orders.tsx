import { Paper, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import { ForSeller, type Selling } from '../../ui/for-seller.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import { OrderStatus } from '../../ui/order-status.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'

const SHOWN = 10

export function LatestOrders() {
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        Latest orders
      </Title>
      <ForSeller>{(selling) => <OrderTable {...selling} />}</ForSeller>
    </Paper>
  )
}

function OrderTable({ sellerId, marketplaceId }: Selling) {
  const query = useQuery({
    queryKey: ['orders', 'latest', sellerId, marketplaceId],
    queryFn: () =>
      bodyOf(
        service.GET('/console/v1/orders', { params: { query: { marketplaceIds: [marketplaceId], pageSize: SHOWN } } }),
      ),
  })
  return (
    <Loaded query={query}>
      {({ orders }) =>
        orders.length === 0 ? (
          <Empty>The seller has no orders in this marketplace yet.</Empty>
        ) : (
          <Table.ScrollContainer minWidth={520}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Order</Table.Th>
                  <Table.Th>Placed</Table.Th>
                  <Table.Th>Status</Table.Th>
                  <Table.Th ta="end">Total</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {orders.map(({ orderId, createdTime, fulfillment, proceeds }) => (
                  <Table.Tr key={orderId}>
                    <Table.Td>
                      <AnchorLink to="/orders/$orderId" params={{ orderId }}>
                        {orderId}
                      </AnchorLink>
                    </Table.Td>
                    <Table.Td>
                      <Moment time={createdTime} />
                    </Table.Td>
                    <Table.Td>
                      <OrderStatus status={fulfillment?.fulfillmentStatus} />
                    </Table.Td>
                    <Table.Td ta="end">
                      {formatMoney(proceeds?.grandTotal?.amount, proceeds?.grandTotal?.currencyCode)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  )
}
