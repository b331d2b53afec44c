import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { BuyerOrder } from '../../ui/buyer-order.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ForSeller, type Selling } from '../../ui/for-seller.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import { OrderStatus } from '../../ui/order-status.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Filters } from './filters.tsx'
import { type ListedOrder, useOrders } from './orders.ts'
import { ordersRoute } from './route.ts'

const COLUMNS: readonly Column<ListedOrder>[] = [
  { header: 'Ordered', width: '210px', cell: ({ createdTime }) => <Moment time={createdTime} /> },
  {
    header: 'Order',
    width: '190px',
    cell: ({ orderId }) => (
      <AnchorLink to="/orders/$orderId" params={{ orderId }} size="sm" tabIndex={-1}>
        {orderId}
      </AnchorLink>
    ),
  },
  {
    header: 'Status',
    width: '150px',
    cell: ({ fulfillment }) => <OrderStatus status={fulfillment?.fulfillmentStatus} />,
  },
  { header: 'Buyer', width: '16%', cell: ({ buyer }) => buyer?.buyerName ?? '–' },
  { header: 'Items', cell: ({ orderItems }) => describeItems(orderItems) },
  {
    header: 'Total',
    width: '110px',
    align: 'end',
    cell: ({ proceeds }) => formatMoney(proceeds?.grandTotal?.amount, proceeds?.grandTotal?.currencyCode),
  },
]

export function OrdersPage() {
  const navigate = useNavigate()
  const open = useCallback(
    (orderId: string) => void navigate({ to: '/orders/$orderId', params: { orderId } }),
    [navigate],
  )
  return (
    <ForSeller>
      {(selling) => (
        <Page title="Orders" about="Newest first." actions={<BuyerOrder {...selling} onOrdered={open} />}>
          <OrderList {...selling} open={open} />
        </Page>
      )}
    </ForSeller>
  )
}

function OrderList({ open, ...selling }: Selling & { open(orderId: string): void }) {
  const search = ordersRoute.useSearch()
  const navigate = ordersRoute.useNavigate()
  const { more, ...query } = useOrders(selling, search)
  return (
    <>
      <Filters
        search={search}
        onChange={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
      />
      <Loaded query={query}>
        {(rows) =>
          rows.length > 0 ? (
            <DataTable
              label="Orders"
              columns={COLUMNS}
              rows={rows}
              keyOf={({ orderId }) => orderId}
              onOpen={({ orderId }) => open(orderId)}
              {...more}
              minWidth={900}
            />
          ) : (
            <Empty>
              {Object.values(search).some(Boolean)
                ? 'No order matches these filters.'
                : 'The seller has no orders in this marketplace yet.'}
            </Empty>
          )
        }
      </Loaded>
    </>
  )
}

function describeItems(items: ListedOrder['orderItems']) {
  const [first] = items
  if (!first) return '–'
  const more = items.length > 1 ? ` and ${items.length - 1} more` : ''
  return (
    <Text size="sm" truncate>
      {`${first.quantityOrdered} × ${first.product.title ?? first.product.sellerSku}${more}`}
    </Text>
  )
}
