import { Badge, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ForSeller, type Selling } from '../../ui/for-seller.tsx'
import { ListingImage } from '../../ui/listing-image.tsx'
import { ListingStatus } from '../../ui/listing-status.tsx'
import { Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Filters } from './filters.tsx'
import { type ListedItem, MAX_FOUND, useListings } from './listings.ts'
import { listingsRoute } from './route.ts'

const COLUMNS: readonly Column<ListedItem>[] = [
  {
    header: 'Listing',
    cell: ({ sku, summaries }) => (
      <Group gap="sm" wrap="nowrap">
        <ListingImage link={summaries?.[0]?.mainImage?.link} size={28} />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" truncate lh={1.2}>
            {summaries?.[0]?.itemName ?? 'Without a name'}
          </Text>
          <Text size="xs" c="dimmed" truncate lh={1.2}>
            {sku}
          </Text>
        </div>
      </Group>
    ),
  },
  { header: 'Status', width: '200px', cell: ({ summaries }) => <ListingStatus status={summaries?.[0]?.status} /> },
  { header: 'Issues', width: '150px', cell: ({ issues }) => <IssueCount issues={issues ?? []} /> },
  {
    header: 'Price',
    width: '110px',
    align: 'end',
    cell: ({ offers }) => formatMoney(offers?.[0]?.price.amount, offers?.[0]?.price.currencyCode),
  },
  {
    header: 'Quantity',
    width: '100px',
    align: 'end',
    cell: ({ fulfillmentAvailability }) => fulfillmentAvailability?.[0]?.quantity ?? '–',
  },
  { header: 'Updated', width: '210px', cell: ({ summaries }) => <Moment time={summaries?.[0]?.lastUpdatedDate} /> },
]

export function ListingsPage() {
  return (
    <Page title="Listings" about="Last updated first.">
      <ForSeller>{(selling) => <ListingList {...selling} />}</ForSeller>
    </Page>
  )
}

function ListingList(selling: Selling) {
  const search = listingsRoute.useSearch()
  const changeSearch = listingsRoute.useNavigate()
  const navigate = useNavigate()
  const { more, ...query } = useListings(selling, search)
  return (
    <>
      <Filters
        search={search}
        onChange={(change) => void changeSearch({ search: (before) => ({ ...before, ...change }), replace: true })}
      />
      <Loaded query={query}>
        {(rows) =>
          rows.length > 0 ? (
            <>
              <DataTable
                label="Listings"
                columns={COLUMNS}
                rows={rows}
                keyOf={({ sku }) => sku}
                onOpen={({ sku }) => void navigate({ to: '/listings/$sku', params: { sku } })}
                {...more}
                minWidth={1000}
              />
              {rows.length >= MAX_FOUND && (
                <Text size="sm" c="dimmed">
                  A search returns at most 1,000 listings. Narrow it to find others.
                </Text>
              )}
            </>
          ) : (
            <Empty>
              {Object.values(search).some(Boolean)
                ? 'No listing matches these filters.'
                : 'The seller has no listings in this marketplace yet.'}
            </Empty>
          )
        }
      </Loaded>
    </>
  )
}

function IssueCount({ issues }: { issues: readonly { severity: string }[] }) {
  const errors = issues.filter(({ severity }) => severity === 'ERROR').length
  const others = issues.length - errors
  if (issues.length === 0) return '–'
  return (
    <Group gap={4} wrap="nowrap">
      {errors > 0 && (
        <Badge variant="light" color="red" tt="none">
          {errors === 1 ? '1 error' : `${errors} errors`}
        </Badge>
      )}
      {others > 0 && (
        <Badge variant="light" color="yellow" tt="none">
          {others === 1 ? '1 warning' : `${others} warnings`}
        </Badge>
      )}
    </Group>
  )
}
