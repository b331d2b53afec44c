import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useList } from '../../api/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

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
  const audit = useList(['operator', 'audit'], async (pageToken) => {
    const page = await bodyOf(service.GET('/operator/v1/audit', { params: { query: { pageToken } } }))
    return { items: page.audit, nextToken: page.nextToken }
  })
  return (
    <Page title="Audit" about="What operators changed, newest first: who, what, and whether it succeeded.">
      <Loaded query={audit}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No operator has changed anything yet.</Empty>
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
