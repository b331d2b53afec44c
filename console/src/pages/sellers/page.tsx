import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, mergePatch, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'

type SellersBody = paths['/operator/v1/sellers']['get']['responses']['200']['content']['application/json']
type Seller = SellersBody['sellers'][number]

const STATUSES = ['NORMAL', 'AT_RISK', 'DEACTIVATED'] as const
const STATUS_COLORS = { NORMAL: 'teal', AT_RISK: 'yellow', DEACTIVATED: 'red' }

const columns: Column<Seller>[] = [
  { header: 'Seller', cell: (seller) => seller.sellerId, width: '30%' },
  { header: 'Name', cell: (seller) => seller.business?.name ?? '–', width: '30%' },
  { header: 'Plan', cell: (seller) => seller.sellingPlan },
  { header: 'Status', cell: (seller) => <StatusBadge status={seller.accountStatus ?? 'NORMAL'} /> },
  { header: 'Marketplaces', cell: (seller) => seller.participations.length, align: 'end' },
]

export function SellersPage() {
  const [opened, setOpened] = useState<Seller>()
  const [search, setSearch] = useState<string>()
  const sellers = useList(['operator', 'sellers', search], async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/sellers', { params: { query: { search, pageToken } } }))
    return { items: page.sellers, nextToken: page.nextToken }
  })
  return (
    <Page title="Sellers" about="Everyone who sells in the marketplace.">
      <TextFilter
        aria-label="Text in the id or name"
        placeholder="Id or name"
        maxLength={100}
        value={search}
        onChange={setSearch}
        w={260}
      />
      <Loaded query={sellers}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>
              {search === undefined
                ? 'There are no sellers yet. PUT /operator/v1/sellers adds them.'
                : 'No seller has this text.'}
            </Empty>
          ) : (
            <DataTable
              label="Sellers"
              columns={columns}
              rows={rows}
              keyOf={(seller) => seller.sellerId}
              onOpen={(seller: Seller) => setOpened(seller)}
              {...sellers.more}
            />
          )
        }
      </Loaded>
      <DetailsDrawer
        item={opened}
        onClose={() => setOpened(undefined)}
        title={({ business, sellerId }) => business?.name ?? sellerId}
      >
        {(seller) => <SellerForm key={seller.sellerId} seller={seller} onSaved={() => setOpened(undefined)} />}
      </DetailsDrawer>
    </Page>
  )
}

const StatusBadge = ({ status }: { status: keyof typeof STATUS_COLORS }) => (
  <Badge variant="light" color={STATUS_COLORS[status]}>
    {status}
  </Badge>
)

function SellerForm({ seller, onSaved }: { seller: Seller; onSaved(): void }) {
  const { sellerId, business } = seller
  const [name, setName] = useState(business?.name ?? '')
  const [status, setStatus] = useState(seller.accountStatus ?? 'NORMAL')
  const save = useAct({
    run: () =>
      service.PATCH('/operator/v1/sellers/{sellerId}', {
        params: { path: { sellerId } },
        body: mergePatch({ accountStatus: status, ...(business && { business: { name } }) }),
      }),
    done: 'Saved.',
    changes: [['operator', 'sellers'], ['session']],
    onDone: onSaved,
  })
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {sellerId}
      </Text>
      {business && <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />}
      <Select
        label="Status of the account"
        data={[...STATUSES]}
        value={status}
        allowDeselect={false}
        onChange={(value) => value && setStatus(value as typeof status)}
      />
      <Group justify="flex-end">
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
      </Group>
      <JsonView label="The whole seller" value={seller} />
    </Stack>
  )
}
