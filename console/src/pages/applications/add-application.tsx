import { Button, Group, Modal, MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { isNotFound } from '../../api/failure.ts'
import { useAct } from '../../ui/act.ts'
import type { ShownSecret } from '../../ui/secret-dialog.tsx'
import { type Application, ROLES, type Role } from './types.ts'

const MAX_REDIRECT_URIS = 20

interface AddApplicationProps {
  onClose(): void
  showSecret(secret: ShownSecret): void
}

export function AddApplication({ isOpen, ...props }: AddApplicationProps & { isOpen: boolean }) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title="Add an application">
      <ApplicationForm {...props} />
    </Modal>
  )
}

function ApplicationForm({ onClose, showSecret }: AddApplicationProps) {
  const [name, setName] = useState('')
  const [applicationId, setApplicationId] = useState('')
  const [redirectUris, setRedirectUris] = useState<string[]>([])
  const [roles, setRoles] = useState<Role[]>([])
  const add = useAct({
    run: () => addApplication({ applicationId, name, redirectUris, roles }),
    changes: [['operator', 'applications']],
    onDone: ({ applications: [added] }) => {
      onClose()
      const values = [
        { label: 'Client ID', value: added?.clientId },
        { label: 'Client secret', value: added?.clientSecret },
        { label: 'Access key ID', value: added?.signingKey?.accessKeyId },
        { label: 'Secret access key', value: added?.signingKey?.secretAccessKey },
      ].filter((entry): entry is { label: string; value: string } => entry.value !== undefined)
      showSecret({ title: `Credentials of ${name}`, values })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Application ID"
          description="Such as amzn1.sp.solution.my-app"
          required
          value={applicationId}
          onChange={(event) => setApplicationId(event.currentTarget.value)}
        />
        <TagsInput
          label="Redirect addresses"
          description="Where the application receives the codes of sellers who authorize it: https, or http on localhost. Press Enter after each."
          maxTags={MAX_REDIRECT_URIS}
          splitChars={[' ', ',']}
          value={redirectUris}
          onChange={setRedirectUris}
        />
        <MultiSelect
          label="Roles"
          description="Which personal data of buyers it sees. Default: none"
          data={[...ROLES]}
          value={roles}
          onChange={(chosen) => setRoles(ROLES.filter((role) => chosen.includes(role)))}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type NewApplication = Pick<Application, 'applicationId' | 'name' | 'redirectUris' | 'roles'>

/** The operation would replace an application of the same identifier. */
async function addApplication(application: NewApplication) {
  if (await exists(application.applicationId)) {
    throw new Error(`There is an application ${application.applicationId} already.`)
  }
  return bodyOf(service.PUT('/operator/v1/applications', { body: { applications: [application] } }))
}

async function exists(applicationId: string): Promise<boolean> {
  try {
    await service.GET('/operator/v1/applications/{applicationId}', { params: { path: { applicationId } } })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
