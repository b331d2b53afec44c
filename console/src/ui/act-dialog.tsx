import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { FormEvent, ReactNode } from 'react'
import { useAct } from './act.ts'

interface ActDialogProps extends ButtonProps {
  /** On the button, and above the form. */
  label: string
  /** Above the form, and for people who cannot see beside what the button is. Default: the label */
  title?: string
  submitLabel: string
  done: string
  run(): Promise<unknown>
  children: ReactNode
}

/** A button that opens a form, and does what the form says. */
export function ActDialog({ label, title = label, submitLabel, done, run, children, ...button }: ActDialogProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const act = useAct({ run, done, onDone: close })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act.mutate()
  }
  return (
    <>
      <Button variant="default" {...button} onClick={open} aria-label={title}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <form onSubmit={submit}>
          <Stack>
            {children}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={act.isPending}>
                {submitLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
