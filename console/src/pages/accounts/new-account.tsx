import { Button, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { ACCOUNTS_KEY, type Account } from './account.ts'
import { PasswordField } from './password-field.tsx'

export function NewAccount({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add an account">
      {isOpen && <AccountForm onClose={onClose} />}
    </Modal>
  )
}

function AccountForm({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Account['role']>('seller')
  const [sellerId, setSellerId] = useState('')
  const [password, setPassword] = useState('')
  const add = useAct({
    run: () =>
      service.POST('/operator/v1/consoleAccounts', {
        body: { name, role, password, ...(role === 'seller' && { sellerId }) },
      }),
    done: 'The account is created.',
    changes: [ACCOUNTS_KEY],
    onDone: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <SegmentedControl
          aria-label="Role"
          data={[
            { value: 'seller', label: 'Seller' },
            { value: 'operator', label: 'Operator' },
          ]}
          value={role}
          onChange={(value) => setRole(value as Account['role'])}
        />
        <TextInput
          label="Name"
          description="Lowercase letters, digits and . _ @ + -"
          required
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {role === 'seller' && (
          <TextInput
            label="Seller ID"
            required
            value={sellerId}
            onChange={(event) => setSellerId(event.currentTarget.value)}
          />
        )}
        <PasswordField value={password} onChange={setPassword} />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
