import { Alert, Anchor, Button, Center, Group, Loader, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { describe, Failure } from '../api/failure.ts'

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
  const requestUrl = error instanceof Failure ? error.requestUrl : undefined
  return (
    <Alert role="alert" color="red" icon={<IconAlertTriangle />} title={describe(error)}>
      <Group gap="sm">
        {retry && (
          <Button size="xs" variant="light" color="red" onClick={retry}>
            Try again
          </Button>
        )}
        {requestUrl && <Anchor href={requestUrl}>The request in the log</Anchor>}
      </Group>
    </Alert>
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

/** Shows the data of a query, or why it is not there yet. */
export function Loaded<Data>({ query, children }: { query: QueryResult<Data>; children(data: Data): ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.isPending) return <Loading />
  return <ErrorState error={query.error} retry={() => void query.refetch()} />
}
