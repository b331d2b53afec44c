import { Badge, Button, Tabs } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretDialog, type ShownSecret } from '../../ui/secret-dialog.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { AddApplication } from './add-application.tsx'
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
  const [openedId, setOpenedId] = useState<string>()
  const applications = useList(['operator', 'applications'], async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/applications', { params: { query: { pageToken } } }))
    return { items: page.applications, nextToken: page.nextToken }
  })
  const opened = applications.data?.find(({ applicationId }) => applicationId === openedId)
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
              openKey={openedId}
              onOpen={({ applicationId }) => setOpenedId(applicationId)}
              {...applications.more}
            />
          )
        }
      </Loaded>
      <DetailsDrawer item={opened} onClose={() => setOpenedId(undefined)} title={({ name }) => name}>
        {(one) => <ApplicationDetails key={one.applicationId} application={one} showSecret={showSecret} />}
      </DetailsDrawer>
    </>
  )
}
