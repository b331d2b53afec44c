import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { MIN_PASSWORD_LENGTH } from './account.ts'

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
        <PasswordInput
          label="Password"
          description={`At least ${MIN_PASSWORD_LENGTH} characters`}
          required
          minLength={MIN_PASSWORD_LENGTH}
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
