import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { FormEvent, ReactNode } from 'react'
import { useAct } from './act.ts'

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  /** On the button, and above the form. */
  label: string
  /** Above the form, and for people who cannot see beside what the button is. Default: the label */
  title?: string
  /** The form, which is there only while the dialog is open. State inside of it begins anew each time. */
  children(close: () => void): ReactNode
}

/** A button that opens a form. */
export function DialogButton({ label, title = label, children, ...button }: DialogButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" {...button} onClick={open} aria-label={title}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        {children(close)}
      </Modal>
    </>
  )
}

interface ActFormProps {
  submitLabel: string
  done: string
  run(): Promise<unknown>
  close(): void
  children: ReactNode
}

/** Does what its fields say. */
export function ActForm({ submitLabel, done, run, close, children }: ActFormProps) {
  const act = useAct({ run, done, onDone: close })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act.mutate()
  }
  return (
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
  )
}
