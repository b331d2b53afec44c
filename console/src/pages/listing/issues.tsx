import { Badge, Group, Stack, Text } from '@mantine/core'
import type { Issue } from './listing.ts'

const SEVERITIES = {
  ERROR: { label: 'Error', color: 'red' },
  WARNING: { label: 'Warning', color: 'yellow' },
  INFO: { label: 'Info', color: 'blue' },
} as const

export function Issues({ issues }: { issues: readonly Issue[] }) {
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {issues.map((issue) => (
        <li key={`${issue.code} ${issue.message}`}>
          <Group gap="xs">
            <Badge variant="light" color={SEVERITIES[issue.severity].color} tt="none">
              {SEVERITIES[issue.severity].label}
            </Badge>
            <Text size="sm" c="dimmed">
              {[issue.code, ...(issue.attributeNames ?? [])].join(' · ')}
            </Text>
          </Group>
          <Text size="sm">{issue.message}</Text>
          {issue.enforcements && (
            <Text size="xs" c="dimmed">
              {issue.enforcements.actions.map(({ action }) => action).join(', ')}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}
