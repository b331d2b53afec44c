import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { PasswordField } from './password-field.tsx'

/** Open while there is a name. */
export function NewPassword({ name, onClose }: { name: string | undefined; onClose(): void }) {
  return (
    <Modal opened={name !== undefined} onClose={onClose} title={`New password for ${name ?? ''}`}>
      {name !== undefined && <PasswordForm key={name} name={name} onClose={onClose} />}
    </Modal>
  )
}

function PasswordForm({ name, onClose }: { name: string; onClose(): void }) {
  const [password, setPassword] = useState('')
  const save = useAct({
    run: () =>
      service.PUT('/operator/v1/consoleAccounts/{name}/password', { params: { path: { name } }, body: { password } }),
    done: 'The password is changed.',
    changes: [],
    onDone: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordField value={password} onChange={setPassword} />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
