import { Progress as Bar, Group, Stack, Text } from '@mantine/core'
import type { Progress } from '../api/progress.ts'

/** A bar for each piece of work, or one for all as long as none has reported. */
export function ProgressBars({ tasks }: { tasks: readonly Progress[] }) {
  const shown = tasks.length > 0 ? tasks : [{ task: 'background work', done: 0 }]
  return (
    <Stack gap="xs" role="status">
      {shown.map(({ task, done, total, message }) => (
        <div key={task}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{message ?? `Working: ${task}`}</Text>
            {total !== undefined && (
              <Text size="sm" c="dimmed">
                {done} of {total}
              </Text>
            )}
          </Group>
          <Bar
            value={total ? Math.min(100, (done / total) * 100) : 100}
            animated={!total}
            aria-label={`Progress of ${task}`}
          />
        </div>
      ))}
    </Stack>
  )
}
