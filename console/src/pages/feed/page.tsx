import { Grid, Paper, Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FeedData, feedQuery } from '../../api/feed.ts'
import { feedTypeLabel, findFeedType } from '../../api/feed-types.ts'
import { marketplaceLabel } from '../../api/marketplaces.ts'
import { isFinal } from '../../api/processing.ts'
import { useCancelFeed } from '../../ui/cancel-feed.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Page } from '../../ui/page.tsx'
import { ProcessingBadge } from '../../ui/processing-status.tsx'
import { ProcessingTimeline } from '../../ui/processing-timeline.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { ResultDocument, SubmittedDocument } from './document-views.tsx'
import { Issues } from './issues.tsx'
import { type FeedSearch, feedRoute } from './route.ts'

export function FeedPage() {
  const { feedId } = feedRoute.useParams()
  const query = useQuery(feedQuery(feedId))
  return (
    <Page
      title={query.data ? feedTypeLabel(query.data.feedType) : 'Feed'}
      about={
        <AnchorLink to="/feeds" size="sm">
          All feeds
        </AnchorLink>
      }
      actions={query.data?.processingStatus === 'IN_QUEUE' && <CancelFeed feedId={feedId} />}
    >
      <Loaded query={query}>{(feed) => <Feed feed={feed} />}</Loaded>
    </Page>
  )
}

function CancelFeed({ feedId }: { feedId: string }) {
  const cancel = useCancelFeed()
  return (
    <ConfirmButton
      size="sm"
      color="red"
      question="Cancel this feed? None of its messages will be applied."
      verb="Cancel the feed"
      onConfirm={() => cancel.mutate(feedId)}
    >
      Cancel
    </ConfirmButton>
  )
}

function Feed({ feed }: { feed: FeedData }) {
  const { view = 'issues' } = feedRoute.useSearch()
  const navigate = useNavigate({ from: feedRoute.fullPath })
  const change = (changed: FeedSearch) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true })
  const { resultFeedDocumentId: resultId } = feed
  return (
    <Stack gap="lg">
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper withBorder p="md" h="100%">
            <DefinitionList
              entries={[
                ['State', <ProcessingBadge key="state" status={feed.processingStatus} />],
                ['Type', feed.feedType],
                ['Purpose', findFeedType(feed.feedType)?.purpose],
                ['Marketplaces', feed.marketplaceIds.map(marketplaceLabel).join(', ')],
                ['Id', feed.feedId],
                ['Result', resultId],
              ]}
            />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper withBorder p="md" h="100%">
            <ProcessingTimeline of={feed} />
          </Paper>
        </Grid.Col>
      </Grid>
      <Tabs
        keepMounted={false}
        value={view}
        onChange={(tab) => change({ view: tab === 'result' || tab === 'submitted' ? tab : undefined })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="issues">Issues</Tabs.Tab>
          <Tabs.Tab value="result">Result document</Tabs.Tab>
          <Tabs.Tab value="submitted">Submitted document</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="issues">
          {resultId ? <Issues feed={feed} resultId={resultId} onChange={change} /> : <NoResult feed={feed} />}
        </Tabs.Panel>
        <Tabs.Panel value="result">
          {resultId ? <ResultDocument resultId={resultId} /> : <NoResult feed={feed} />}
        </Tabs.Panel>
        <Tabs.Panel value="submitted">
          <SubmittedDocument feedId={feed.feedId} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

const NoResult = ({ feed: { processingStatus } }: { feed: FeedData }) => (
  <Empty>
    {isFinal(processingStatus)
      ? 'The feed has no result, because it was cancelled.'
      : 'The result appears here as soon as all messages are processed. Feeds of a seller are processed one at a time.'}
  </Empty>
)
