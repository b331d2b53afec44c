import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { MIN_PASSWORD_LENGTH } from './account.ts'

/** Open while there is a name. */
export function NewPassword({ name, onClose }: { name: string | undefined; onClose(): void }) {
  const [password, setPassword] = useState('')
  const save = useAct({
    run: (account: string) =>
      service.PUT('/operator/v1/consoleAccounts/{name}/password', {
        params: { path: { name: account } },
        body: { password },
      }),
    done: 'The password is changed.',
    changes: [],
    onDone: () => {
      setPassword('')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name !== undefined) save.mutate(name)
  }
  return (
    <Modal
      opened={name !== undefined}
      onClose={onClose}
      title={`New password for ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
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
    </Modal>
  )
}
