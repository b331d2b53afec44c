import { Button, Group } from '@mantine/core'
import { ConfirmButton } from '../../ui/confirm-button.tsx'

interface DeadLetterActionsProps {
  what: string
  retry(): void
  discard(): void
}

export const DeadLetterActions = ({ what, retry, discard }: DeadLetterActionsProps) => (
  <Group gap="xs" wrap="nowrap">
    <Button
      size="xs"
      variant="light"
      onClick={(event) => {
        event.stopPropagation()
        retry()
      }}
    >
      Retry
    </Button>
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()} role="none">
      <ConfirmButton color="red" verb="Discard" question={`Discard this ${what} for good?`} onConfirm={discard}>
        Discard
      </ConfirmButton>
    </span>
  </Group>
)
