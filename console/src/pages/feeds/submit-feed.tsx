import { Alert, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FEED_TYPES, findFeedType, LISTINGS_FEED } from '../../api/feed-types.ts'
import { useSeller } from '../../api/session.ts'
import { MAX_FEED_BYTES, type SubmissionProgress, submitFeed } from '../../api/submit-feed.ts'
import { useAct } from '../../ui/act.ts'
import { MarketplaceSelect } from '../../ui/marketplace-select.tsx'
import { formatBytes } from '../../ui/save-file.ts'
import { inspectFile } from './inspect-file.ts'
import { SubmissionSteps } from './submission-steps.tsx'

/** Submits one file. */
export function SubmitFeed({ file, onClose }: { file: File; onClose(): void }) {
  const { seller, marketplaceId } = useSeller()
  const queries = useQueryClient()
  const inspection = useQuery({
    queryKey: ['fileToSubmit', file.name, file.lastModified, file.size],
    queryFn: () => inspectFile(file),
  })
  const [chosenType, setChosenType] = useState<string>()
  const [chosenContentType, setChosenContentType] = useState<string>()
  const [marketplaceIds, setMarketplaceIds] = useState(marketplaceId ? [marketplaceId] : [])
  const [progress, setProgress] = useState<SubmissionProgress>()
  const feedType = chosenType ?? inspection.data?.feedType ?? LISTINGS_FEED
  const type = findFeedType(feedType)
  const contentType = chosenContentType ?? type?.contentType ?? ''
  const isTooLarge = file.size > MAX_FEED_BYTES
  const submit = useAct({
    run: () => submitFeed({ feedType, marketplaceIds, contentType, content: file }, setProgress),
    changes: [['feeds']],
    onDone: () => void queries.removeQueries({ queryKey: ['fileToSubmit'] }),
  })
  const isStarted = submit.isPending || submit.isSuccess
  const otherSeller = inspection.data?.sellerId !== seller?.sellerId ? inspection.data?.sellerId : undefined

  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
              {file.name}
            </Title>
            <Text size="sm" c="dimmed">
              {formatBytes(file.size)}
              {inspection.data?.messages !== undefined && ` · ${inspection.data.messages.toLocaleString()} messages`}
            </Text>
          </div>
          <Button variant="default" onClick={onClose} disabled={submit.isPending}>
            {submit.isSuccess ? 'Submit another file' : 'Choose another file'}
          </Button>
        </Group>
        {isTooLarge && (
          <Alert color="red" role="alert" title="The file is too large">
            A feed document has at most {formatBytes(MAX_FEED_BYTES)}.
          </Alert>
        )}
        {inspection.data?.problem && (
          <Alert color="yellow" title="The feed will probably fail">
            {inspection.data.problem}
          </Alert>
        )}
        {otherSeller && (
          <Alert color="yellow" title="The feed will probably fail">
            Its header names the seller {otherSeller}, and you submit it for {seller?.sellerId}.
          </Alert>
        )}
        {isStarted && progress ? (
          <SubmissionSteps progress={progress} totalBytes={file.size} feedId={submit.data} />
        ) : (
          <>
            <Select
              label="Feed type"
              description={type?.purpose}
              required
              allowDeselect={false}
              searchable
              data={FEED_TYPES.map(({ name, label }) => ({ value: name, label }))}
              value={feedType}
              onChange={(name) => {
                if (name === null) return
                setChosenType(name)
                setChosenContentType(undefined)
              }}
            />
            <MarketplaceSelect value={marketplaceIds} onChange={setMarketplaceIds} />
            <TextInput
              label="Content type"
              description="The upload must have exactly the content type for which the document was created."
              required
              value={contentType}
              onChange={({ currentTarget }) => setChosenContentType(currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button
                onClick={() => submit.mutate()}
                disabled={isTooLarge || marketplaceIds.length === 0 || contentType === ''}
              >
                Submit
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  )
}
