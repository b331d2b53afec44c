import { Badge, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { ACCOUNTS_KEY, type Account } from './account.ts'
import { NewAccount } from './new-account.tsx'
import { NewPassword } from './new-password.tsx'

/** The people who sign in to the console of `souk serve`. */
export function AccountsPage() {
  const [isAdding, adding] = useDisclosure(false)
  const [changing, setChanging] = useState<string>()
  const accounts = useList(ACCOUNTS_KEY, async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/consoleAccounts', { params: { query: { pageToken } } }))
    return { items: page.consoleAccounts, nextToken: page.nextToken }
  })
  const changes = [ACCOUNTS_KEY]
  const disable = useAct({
    run: ({ name, isDisabled }: Account) =>
      service.PATCH('/operator/v1/consoleAccounts/{name}', {
        params: { path: { name } },
        body: { isDisabled: !isDisabled },
      }),
    done: (_result, { isDisabled }) => (isDisabled ? 'The account is enabled.' : 'The account is disabled.'),
    changes,
  })
  const remove = useAct({
    run: (name: string) => service.DELETE('/operator/v1/consoleAccounts/{name}', { params: { path: { name } } }),
    done: 'The account is deleted.',
    changes,
  })
  const columns: Column<Account>[] = [
    { header: 'Name', cell: ({ name }) => name, width: '22%' },
    { header: 'Role', cell: ({ role, sellerId }) => (role === 'seller' ? `Seller ${sellerId}` : 'Operator') },
    { header: 'State', cell: ({ isDisabled }) => <State isDisabled={isDisabled} />, width: '110px' },
    { header: 'Created', cell: ({ createdAt }) => <Moment time={createdAt} />, width: '190px' },
    {
      header: 'Actions',
      width: '320px',
      cell: (account) => (
        <Group gap="xs" wrap="nowrap">
          <Button size="xs" variant="light" onClick={() => disable.mutate(account)}>
            {account.isDisabled ? 'Enable' : 'Disable'}
          </Button>
          <Button size="xs" variant="light" onClick={() => setChanging(account.name)}>
            New password
          </Button>
          <ConfirmButton
            color="red"
            verb="Delete"
            question={`Delete the account ${account.name}? Its sessions end at once.`}
            onConfirm={() => remove.mutate(account.name)}
          >
            Delete
          </ConfirmButton>
        </Group>
      ),
    },
  ]
  return (
    <Page
      title="Accounts"
      about="People who sign in to the console of souk serve. A seller's account sees that seller only."
      actions={<Button onClick={adding.open}>Add an account</Button>}
    >
      <Loaded query={accounts}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>There are no accounts yet. The operator key signs in without one.</Empty>
          ) : (
            <DataTable label="Accounts" columns={columns} rows={rows} keyOf={({ name }) => name} {...accounts.more} />
          )
        }
      </Loaded>
      <NewAccount isOpen={isAdding} onClose={adding.close} />
      <NewPassword name={changing} onClose={() => setChanging(undefined)} />
    </Page>
  )
}

const State = ({ isDisabled }: { isDisabled: boolean }) => (
  <Badge variant="light" color={isDisabled ? 'red' : 'teal'}>
    {isDisabled ? 'Disabled' : 'Enabled'}
  </Badge>
)
