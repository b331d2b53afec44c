import { Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useList } from '../../api/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'
import { TimeInput } from '../../ui/time-input.tsx'
import { type AuditSearch, auditRoute } from './route.ts'

type AuditBody = paths['/operator/v1/audit']['get']['responses']['200']['content']['application/json']
type AuditEntry = AuditBody['audit'][number]

const columns: Column<AuditEntry>[] = [
  { header: 'Time', cell: ({ occurredAt }) => <Moment time={occurredAt} />, width: '190px' },
  { header: 'Who', cell: ({ actor }) => actor, width: '18%' },
  { header: 'Operation', cell: ({ operation }) => operation, width: '24%' },
  { header: 'Target', cell: ({ target }) => target },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, width: '100px' },
]

export function AuditPage() {
  const search = auditRoute.useSearch()
  const navigate = useNavigate({ from: auditRoute.fullPath })
  const change = (changed: AuditSearch) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true })
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const audit = useList(['operator', 'audit', search], async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/audit', { params: { query: { ...search, pageToken } } }))
    return { items: page.audit, nextToken: page.nextToken }
  })
  return (
    <Page title="Audit" about="What operators changed, newest first: who, what, and whether it succeeded.">
      <Filters search={search} onChange={change} />
      <Loaded query={audit}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{isFiltered ? 'No entry matches these filters.' : 'No operator has changed anything yet.'}</Empty>
          ) : (
            <DataTable
              label="Actions of operators"
              columns={columns}
              rows={rows}
              keyOf={({ auditId }) => auditId}
              {...audit.more}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

function Filters({ search, onChange }: { search: AuditSearch; onChange(changed: AuditSearch): void }) {
  return (
    <Group align="flex-end" gap="sm">
      <TextFilter
        label="Who"
        placeholder="console:amina@example.com"
        value={search.actor}
        onChange={(actor) => onChange({ actor })}
        w={260}
      />
      <TextFilter
        label="Operation"
        placeholder="upsertSellers"
        value={search.operation}
        onChange={(operation) => onChange({ operation })}
        w={220}
      />
      <TimeInput label="From" value={search.from ?? ''} onChange={(from) => onChange({ from: from || undefined })} />
      <TimeInput label="To" value={search.to ?? ''} onChange={(to) => onChange({ to: to || undefined })} />
    </Group>
  )
}
