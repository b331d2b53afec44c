import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { bodyOf, service } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import type { ShownSecret } from '../../ui/secret-dialog.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { AddAuthorization } from './add-authorization.tsx'
import type { Authorization } from './types.ts'

export function Authorizations({ showSecret }: { showSecret(secret: ShownSecret): void }) {
  const [isAdding, adding] = useDisclosure(false)
  const authorizations = useList(['operator', 'authorizations'], async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/authorizations', { params: { query: { pageToken } } }))
    return { items: page.authorizations, nextToken: page.nextToken }
  })
  const changes = [['operator', 'authorizations']]
  const addToken = useAct({
    run: ({ sellerId, applicationId }: Authorization) =>
      bodyOf(
        service.POST('/operator/v1/authorizations/{sellerId}/{applicationId}/refreshToken', {
          params: { path: { sellerId, applicationId } },
        }),
      ),
    changes,
    onDone: ({ refreshToken }, { sellerId }) =>
      showSecret({
        title: `New refresh token for ${sellerId}`,
        values: [{ label: 'Refresh token', value: refreshToken }],
      }),
  })
  const revoke = useAct({
    run: ({ sellerId, applicationId }: Authorization) =>
      service.DELETE('/operator/v1/authorizations/{sellerId}/{applicationId}', {
        params: { path: { sellerId, applicationId } },
      }),
    done: 'The authorization is revoked.',
    changes,
  })
  const columns: Column<Authorization>[] = [
    { header: 'Seller', cell: ({ sellerId }) => sellerId, width: '20%' },
    { header: 'Application', cell: ({ applicationId }) => applicationId },
    { header: 'Since', cell: ({ authorizedAt }) => <Moment time={authorizedAt} />, width: '190px' },
    {
      header: 'Actions',
      width: '260px',
      cell: (authorization) => (
        <Group gap="xs" wrap="nowrap">
          <ConfirmButton
            verb="Create"
            question={`Create a further refresh token for ${authorization.sellerId}? The others stay valid.`}
            loading={addToken.isPending && addToken.variables === authorization}
            onConfirm={() => addToken.mutate(authorization)}
          >
            New refresh token
          </ConfirmButton>
          <ConfirmButton
            color="red"
            verb="Revoke"
            loading={revoke.isPending && revoke.variables === authorization}
            question={`Revoke it? All tokens of the application for ${authorization.sellerId} end at once.`}
            onConfirm={() => revoke.mutate(authorization)}
          >
            Revoke
          </ConfirmButton>
        </Group>
      ),
    },
  ]
  return (
    <Stack>
      <Group justify="flex-end">
        <Button variant="light" onClick={adding.open}>
          Authorize an application
        </Button>
      </Group>
      <Loaded query={authorizations}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No seller has authorized an application yet.</Empty>
          ) : (
            <DataTable
              label="Authorizations"
              columns={columns}
              rows={rows}
              keyOf={({ sellerId, applicationId }) => `${sellerId} ${applicationId}`}
              {...authorizations.more}
            />
          )
        }
      </Loaded>
      <AddAuthorization isOpen={isAdding} onClose={adding.close} showSecret={showSecret} />
    </Stack>
  )
}
