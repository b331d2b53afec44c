import { Group, Paper, Stack, Text } from '@mantine/core'
import { JsonView } from '../../ui/json-view.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Replayed } from './replay.ts'

export function ReplayResult({ result }: { result: Replayed }) {
  const { status, milliseconds, body, sellerId } = result
  return (
    <Paper withBorder p="sm" role="status">
      <Stack gap="xs">
        <Group gap="xs">
          <StatusBadge status={status} />
          <Text size="sm">{Math.round(milliseconds)} ms</Text>
        </Group>
        <Text size="sm" c="dimmed">
          Sent as the console{sellerId === undefined ? '' : ` for seller ${sellerId}`}: without the token of the
          original, which the log does not keep, without quotas and faults, and not logged.
        </Text>
        {body === '' ? <Text size="sm">No body.</Text> : <JsonView label="body of the new response" value={body} />}
      </Stack>
    </Paper>
  )
}
