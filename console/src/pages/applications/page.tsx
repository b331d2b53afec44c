import { Badge, Button, Drawer, Group, Modal, Stack, Tabs, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretDialog, type ShownSecret } from '../../ui/secret-dialog.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { ApplicationDetails } from './application-details.tsx'
import { Authorizations } from './authorizations.tsx'
import type { Application } from './types.ts'

const columns: Column<Application>[] = [
  { header: 'Name', cell: (application) => application.name, width: '25%' },
  { header: 'Application', cell: (application) => application.applicationId, width: '35%' },
  {
    header: 'Sees personal data',
    cell: ({ roles = [] }) => (roles.length === 0 ? 'No' : roles.map((role) => <Badge key={role}>{role}</Badge>)),
  },
]

export function ApplicationsPage() {
  const [secret, setSecret] = useState<ShownSecret>()
  const [isAdding, adding] = useDisclosure(false)
  return (
    <Page
      title="Applications"
      about="Software of developers, and which sellers authorized it."
      actions={<Button onClick={adding.open}>Add an application</Button>}
    >
      <Tabs defaultValue="applications" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="applications">Applications</Tabs.Tab>
          <Tabs.Tab value="authorizations">Authorizations</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="applications" pt="md">
          <Applications showSecret={setSecret} />
        </Tabs.Panel>
        <Tabs.Panel value="authorizations" pt="md">
          <Authorizations showSecret={setSecret} />
        </Tabs.Panel>
      </Tabs>
      <AddApplication isOpen={isAdding} onClose={adding.close} showSecret={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </Page>
  )
}

function Applications({ showSecret }: { showSecret(secret: ShownSecret): void }) {
  const [opened, setOpened] = useState<Application>()
  const applications = useList(['operator', 'applications'], async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/applications', { params: { query: { pageToken } } }))
    return { items: page.applications, nextToken: page.nextToken }
  })
  return (
    <>
      <Loaded query={applications}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>There are no applications yet.</Empty>
          ) : (
            <DataTable
              label="Applications"
              columns={columns}
              rows={rows}
              keyOf={({ applicationId }) => applicationId}
              onOpen={(application) => setOpened(application)}
              {...applications.more}
            />
          )
        }
      </Loaded>
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.name}
        position="right"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened && <ApplicationDetails application={opened} showSecret={showSecret} />}
      </Drawer>
    </>
  )
}

interface AddApplicationProps {
  isOpen: boolean
  onClose(): void
  showSecret(secret: ShownSecret): void
}

function AddApplication({ isOpen, onClose, showSecret }: AddApplicationProps) {
  const [name, setName] = useState('')
  const [applicationId, setApplicationId] = useState('')
  const add = useAct({
    run: () => bodyOf(service.PUT('/operator/v1/applications', { body: { applications: [{ applicationId, name }] } })),
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
    <Modal opened={isOpen} onClose={onClose} title="Add an application" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <Stack>
          <TextInput label="Name" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <TextInput
            label="Application ID"
            description="Such as amzn1.sp.solution.my-app"
            required
            value={applicationId}
            onChange={(event) => setApplicationId(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
