import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { FEED_TYPES, feedTypeLabel } from '../../api/feed-types.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { marketplaceLabel } from '../../api/marketplaces.ts'
import { useNewestFirst } from '../../api/newest-first.ts'
import { useCancelFeed } from '../../ui/cancel-feed.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { NoMatch, ProcessingFilters } from '../../ui/processing-filters.tsx'
import { ProcessingBadge } from '../../ui/processing-status.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import type { FeedsSearch } from './route.ts'

const ALL_TYPES = FEED_TYPES.map(({ name }) => name)
const PAGE_SIZE = 50

const optionsOf = (isRetired: boolean) =>
  FEED_TYPES.filter((type) => (type.isRetired ?? false) === isRetired).map(({ name, label }) => ({
    value: name,
    label,
  }))
const TYPE_OPTIONS = [
  { group: 'Served', items: optionsOf(false) },
  { group: 'Retired', items: optionsOf(true) },
]

type Query = NonNullable<paths['/feeds/2021-06-30/feeds']['get']['parameters']['query']>

const loadFeeds = (query: Query) => bodyOf(service.GET('/feeds/2021-06-30/feeds', { params: { query } }))

interface FeedListProps {
  search: FeedsSearch
  onChange(search: FeedsSearch): void
}

export function FeedList({ search, onChange }: FeedListProps) {
  const { types, states } = search
  const navigate = useNavigate()
  const query = useNewestFirst({
    queryKey: ['feeds', { states }],
    types: types ?? ALL_TYPES,
    load: async (feedTypes, nextToken) => {
      const filter = { feedTypes, pageSize: PAGE_SIZE, ...(states && { processingStatuses: states }) }
      const { feeds, nextToken: next } = await loadFeeds(nextToken ? { nextToken } : filter)
      return { items: feeds, nextToken: next }
    },
  })
  const { mutate: cancel } = useCancelFeed()
  const columns = useMemo(() => columnsOf(cancel), [cancel])

  return (
    <Stack gap="sm">
      <ProcessingFilters typeOptions={TYPE_OPTIONS} search={search} onChange={onChange} />
      <Loaded query={query}>
        {(feeds) =>
          feeds.length > 0 ? (
            <DataTable
              label="Feeds"
              minWidth={860}
              columns={columns}
              rows={feeds}
              keyOf={({ feedId }) => feedId}
              onOpen={({ feedId }) => void navigate({ to: '/feeds/$feedId', params: { feedId } })}
              {...query.more}
            />
          ) : types || states ? (
            <NoMatch what="feed" onChange={onChange} />
          ) : (
            <Empty>Feeds of the last 90 days appear here, also those that your software submits.</Empty>
          )
        }
      </Loaded>
    </Stack>
  )
}

type Feed = Awaited<ReturnType<typeof loadFeeds>>['feeds'][number]

const columnsOf = (cancel: (feedId: string) => void): Column<Feed>[] => [
  { header: 'Feed', cell: ({ feedType }) => <span title={feedType}>{feedTypeLabel(feedType)}</span> },
  { header: 'State', width: '150px', cell: ({ processingStatus }) => <ProcessingBadge status={processingStatus} /> },
  { header: 'Submitted', width: '220px', cell: ({ createdTime }) => <Moment time={createdTime} /> },
  {
    header: 'Marketplaces',
    width: '180px',
    cell: ({ marketplaceIds }) => marketplaceIds.map(marketplaceLabel).join(', '),
  },
  { header: 'Id', width: '130px', cell: ({ feedId }) => feedId },
  {
    header: 'Actions',
    width: '100px',
    align: 'end',
    cell: ({ feedId, processingStatus }) =>
      processingStatus === 'IN_QUEUE' && (
        <ConfirmButton
          color="red"
          variant="subtle"
          question="Cancel this feed? None of its messages will be applied."
          verb="Cancel the feed"
          onConfirm={() => cancel(feedId)}
        >
          Cancel
        </ConfirmButton>
      ),
  },
]
