import { Paper, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import { useSeller, useSession } from '../../api/session.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import { Empty, Loaded } from '../../ui/states.tsx'

const SHOWN = 10
const DAYS = 30
const DAY_MILLISECONDS = 86_400_000

export function LatestOrders() {
  const { seller, marketplaceId } = useSeller()
  const { now } = useSession()
  const createdAfter = new Date(Date.parse(now) - DAYS * DAY_MILLISECONDS).toISOString()
  const orders = useQuery({
    queryKey: ['orders', 'latest', seller?.sellerId, marketplaceId],
    enabled: marketplaceId !== undefined,
    queryFn: async () => {
      const query = { MarketplaceIds: [marketplaceId as string], CreatedAfter: createdAfter, MaxResultsPerPage: SHOWN }
      const { payload } = await bodyOf(service.GET('/orders/v0/orders', { params: { query } }))
      return payload?.Orders ?? []
    },
  })
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="xs">
        Latest orders
      </Title>
      <Loaded query={orders}>
        {(list) =>
          list.length === 0 ? (
            <Empty>There were no orders in the last {DAYS} days.</Empty>
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
                  {list.map(({ AmazonOrderId, PurchaseDate, OrderStatus, OrderTotal }) => (
                    <Table.Tr key={AmazonOrderId}>
                      <Table.Td>
                        <AnchorLink to="/orders/$orderId" params={{ orderId: AmazonOrderId }}>
                          {AmazonOrderId}
                        </AnchorLink>
                      </Table.Td>
                      <Table.Td>
                        <Moment time={PurchaseDate} />
                      </Table.Td>
                      <Table.Td>{OrderStatus}</Table.Td>
                      <Table.Td ta="end">{formatMoney(OrderTotal?.Amount, OrderTotal?.CurrencyCode)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </Paper>
  )
}
