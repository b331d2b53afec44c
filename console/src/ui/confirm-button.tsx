import { Button, type ButtonProps, Group, Popover, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface ConfirmButtonProps extends ButtonProps {
  children: ReactNode
  /** What will happen, as a question. */
  question: ReactNode
  /** The verb on the button that does it. */
  verb: string
  onConfirm(): void
}

/** A button for what cannot be undone: it asks first, beside the place that was clicked. */
export function ConfirmButton({ children, question, verb, onConfirm, ...button }: ConfirmButtonProps) {
  const [isOpen, { toggle, close }] = useDisclosure(false)
  return (
    <Popover opened={isOpen} onClose={close} trapFocus returnFocus width={280} withArrow shadow="md">
      <Popover.Target>
        <Button
          variant="light"
          size="xs"
          {...button}
          onClick={(event) => {
            // The row of a table around it opens by a click.
            event.stopPropagation()
            toggle()
          }}
        >
          {children}
        </Button>
      </Popover.Target>
      <Popover.Dropdown onClick={(event) => event.stopPropagation()}>
        <Stack gap="xs">
          <Text size="sm">{question}</Text>
          <Group gap="xs" justify="flex-end">
            <Button size="xs" variant="default" onClick={close}>
              No
            </Button>
            <Button
              size="xs"
              color="red"
              onClick={() => {
                close()
                onConfirm()
              }}
            >
              {verb}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
