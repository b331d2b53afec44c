import { Alert, Button, Center, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { describe, isGone } from '../api/failure.ts'

/** Instead of a list without rows: what would be here, and how it comes here. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <Center mih={160}>
      <Stack align="center" gap="sm">
        <Text c="dimmed" ta="center">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <Alert role="alert" color="red" icon={<IconAlertTriangle />} title={describe(error)}>
      {retry && (
        <Button size="xs" variant="light" color="red" onClick={retry}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** Below or above what is shown: why more or newer data is not there. */
export function FailedNote({ children, retry }: { children: ReactNode; retry(): void }) {
  return (
    <Group role="alert" gap="xs" p="xs">
      <IconAlertTriangle size={16} aria-hidden color="var(--mantine-color-red-light-color)" />
      <Text size="sm">{children}</Text>
      <Button size="compact-xs" variant="default" onClick={retry}>
        Try again
      </Button>
    </Group>
  )
}

export const Loading = () => (
  <Center mih={160}>
    <Loader role="status" aria-label="Loading" />
  </Center>
)

interface QueryResult<Data> {
  data: Data | undefined
  error: unknown
  isPending: boolean
  refetch(): unknown
}

/** Shows the data of a query, or why it is not there yet, or why it is not the latest. */
export function Loaded<Data>({ query, children }: { query: QueryResult<Data>; children(data: Data): ReactNode }) {
  const { data, error, isPending } = query
  const retry = () => void query.refetch()
  if (data === undefined && isPending) return <Loading />
  if (data === undefined || isGone(error)) return <ErrorState error={error} retry={retry} />
  return (
    <>
      {Boolean(error) && <FailedNote retry={retry}>This could not be refreshed. {describe(error)}</FailedNote>}
      {children(data)}
    </>
  )
}
