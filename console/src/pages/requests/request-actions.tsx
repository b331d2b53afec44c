import { Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertOctagon, IconRepeat } from '@tabler/icons-react'
import { type RequestDetail, SUBJECTS } from '../../api/request-log.ts'
import { useAct } from '../../ui/act.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { findObstacle, type Replayed, replay, replayInputOf } from './replay.ts'
import { ReplayResult } from './replay-result.tsx'

export function RequestActions({ request }: { request: RequestDetail }) {
  const obstacle = findObstacle(request)
  const send = useAct<void, Replayed>({ run: () => replay(replayInputOf(request)) })
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRepeat size={14} aria-hidden />}
          disabled={obstacle !== undefined}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          Send again as the console
        </Button>
        {request.operation !== 'unknown' && (
          <ButtonLink
            size="xs"
            variant="default"
            to="/faults"
            search={{ rule: faultOf(request) }}
            leftSection={<IconAlertOctagon size={14} aria-hidden />}
          >
            Make a fault of it
          </ButtonLink>
        )}
      </Group>
      {obstacle && (
        <Text size="sm" c="dimmed">
          It cannot be sent again. {obstacle}
        </Text>
      )}
      {send.data && <ReplayResult result={send.data} />}
    </Stack>
  )
}

/** A rule that hits requests like this one. A refused request fails the same way, a successful one with 503. */
function faultOf({ operation, seller, status, subjects }: RequestDetail) {
  const ids = SUBJECTS.filter((subject) => subjects[subject]?.length === 1)
  const action =
    status === 429
      ? { kind: 'throttle' }
      : { kind: 'status', status: status !== undefined && status >= 400 ? status : 503 }
  return {
    match: {
      operations: operation,
      ...(seller !== undefined && { sellerId: seller }),
      ...Object.fromEntries(ids.map((subject) => [subject, subjects[subject]?.[0] as string])),
    },
    action,
    count: 1,
  }
}
