import { Grid, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { marketplaceLabel } from '../../api/marketplaces.ts'
import { useSession } from '../../api/session.ts'
import { ForSeller } from '../../ui/for-seller.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { OrderStatus } from '../../ui/order-status.tsx'
import { Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Items, Recipient } from './details.tsx'
import { History } from './history.tsx'
import { Cancel, Deliver, GiveBack, LeaveFeedback } from './marketplace-acts.tsx'
import { type OrderView, orderQuery } from './order.ts'
import { findPossibleActs } from './possible-acts.ts'
import { Review } from './review.tsx'
import { orderRoute } from './route.ts'
import { Ship } from './ship.tsx'

export function OrderPage() {
  const { orderId } = orderRoute.useParams()
  return (
    <ForSeller>
      {({ sellerId }) => (
        <Page
          title={`Order ${orderId}`}
          about={
            <AnchorLink to="/orders" size="sm">
              All orders
            </AnchorLink>
          }
        >
          <OneOrder key={`${sellerId} ${orderId}`} sellerId={sellerId} orderId={orderId} />
        </Page>
      )}
    </ForSeller>
  )
}

function OneOrder({ sellerId, orderId }: { sellerId: string; orderId: string }) {
  const query = useQuery(orderQuery(sellerId, orderId))
  return (
    <Loaded query={query}>
      {(view) => (
        <Stack>
          <Group justify="space-between">
            <Group gap="xs">
              <OrderStatus status={view.order.fulfillment?.fulfillmentStatus} />
              <Text size="sm">{marketplaceLabel(view.history.marketplaceId)}</Text>
            </Group>
            <Acts sellerId={sellerId} {...view} />
          </Group>
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                <Items order={view.order} />
                <History {...view} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Stack>
                <Recipient order={view.order} />
                <Review {...view} />
              </Stack>
            </Grid.Col>
          </Grid>
        </Stack>
      )}
    </Loaded>
  )
}

function Acts({ sellerId, ...view }: OrderView & { sellerId: string }) {
  const { hasControlPlane } = useSession()
  const { order, history } = view
  const { ship, deliver, cancel, giveBack, leaveFeedback } = findPossibleActs(view)
  const act = { sellerId, orderId: order.orderId }
  return (
    <Group gap="xs">
      {ship.length > 0 && <Ship order={order} marketplaceId={history.marketplaceId} items={ship} />}
      {hasControlPlane && deliver && <Deliver {...act} />}
      {hasControlPlane && cancel && <Cancel {...act} />}
      {hasControlPlane && giveBack.length > 0 && <GiveBack {...act} items={giveBack} />}
      {hasControlPlane && leaveFeedback && <LeaveFeedback {...act} />}
    </Group>
  )
}
