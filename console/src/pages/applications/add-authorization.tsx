import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { notifyDone } from '../../ui/notify.ts'
import type { ShownSecret } from '../../ui/secret-dialog.tsx'

interface AddAuthorizationProps {
  onClose(): void
  showSecret(secret: ShownSecret): void
}

export function AddAuthorization({ isOpen, ...props }: AddAuthorizationProps & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title="Authorize an application for a seller">
      <AuthorizationForm {...props} />
    </Modal>
  )
}

function AuthorizationForm({ onClose, showSecret }: AddAuthorizationProps) {
  const [sellerId, setSellerId] = useState('')
  const [applicationId, setApplicationId] = useState('')
  const authorize = useAct({
    run: () =>
      bodyOf(service.PUT('/operator/v1/authorizations', { body: { authorizations: [{ sellerId, applicationId }] } })),
    changes: [['operator', 'authorizations']],
    onDone: ({ authorizations: [added] }) => {
      onClose()
      if (added?.refreshToken === undefined) {
        notifyDone('The seller had authorized it before. Its refresh tokens stay valid.')
      } else {
        showSecret({
          title: `Refresh token of ${applicationId} for ${sellerId}`,
          values: [{ label: 'Refresh token', value: added.refreshToken }],
        })
      }
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        authorize.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Seller ID"
          required
          value={sellerId}
          onChange={(event) => setSellerId(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Application ID"
          required
          value={applicationId}
          onChange={(event) => setApplicationId(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={authorize.isPending}>
            Authorize
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
