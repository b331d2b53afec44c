import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { FormEvent, ReactNode } from 'react'
import { useAct } from '../../ui/act.ts'

interface ActDialogProps {
  /** On the button, and above the form. */
  label: string
  icon: ReactNode
  submitLabel: string
  done: string
  run(): Promise<unknown>
  isPrimary?: boolean
  children: ReactNode
}

/** A button that opens a form, and does what the form says. */
export function ActDialog({ label, icon, submitLabel, done, run, isPrimary = false, children }: ActDialogProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const act = useAct({ run, done, onDone: close })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act.mutate()
  }
  return (
    <>
      <Button variant={isPrimary ? 'filled' : 'default'} leftSection={icon} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={label}>
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
