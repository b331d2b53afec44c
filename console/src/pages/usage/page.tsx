import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { loadUsage } from './load-usage.ts'
import { type OperationUsage, perOperation, type Usage } from './per-operation.ts'
import { PERIODS, type Period, usageRoute } from './route.ts'

const LABELS: Record<Period, string> = { day: 'Last day', week: 'Last week', month: 'Last 30 days' }
const MAX_BARS = 15
const BAR_HEIGHT = 34

const series = [
  { name: 'succeeded', label: 'Succeeded', color: 'teal.7' },
  { name: 'refused', label: 'Refused', color: 'yellow.7' },
  { name: 'failed', label: 'Failed', color: 'red.7' },
]

const columns: Column<Usage>[] = [
  { header: 'Operation', cell: ({ operation }) => operation, width: '28%' },
  { header: 'Application', cell: ({ applicationId }) => applicationId },
  { header: 'Seller', cell: ({ sellerId }) => sellerId ?? '–', width: '18%' },
  { header: 'Requests', cell: ({ requests }) => requests.toLocaleString(), align: 'end', width: '100px' },
  { header: 'Refused', cell: ({ refused }) => refused.toLocaleString(), align: 'end', width: '90px' },
  { header: 'Failed', cell: ({ failed }) => failed.toLocaleString(), align: 'end', width: '80px' },
]

export function UsagePage() {
  const { period = 'day' } = usageRoute.useSearch()
  const navigate = useNavigate()
  const usage = useQuery({ queryKey: ['operator', 'usage', period], queryFn: () => loadUsage(period) })
  return (
    <Page title="Usage" about="Requests by operation, application and seller.">
      <SegmentedControl
        aria-label="Period"
        data={PERIODS.map((value) => ({ value, label: LABELS[value] }))}
        value={period}
        onChange={(value) => void navigate({ to: '/operator/usage', search: { period: value as Period } })}
      />
      <Loaded query={usage}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>No request was counted in this time.</Empty>
          ) : (
            <>
              <OperationChart operations={perOperation(rows).slice(0, MAX_BARS)} />
              <DataTable
                label="Usage by operation, application and seller"
                columns={columns}
                rows={rows}
                keyOf={({ operation, applicationId, sellerId }) => `${operation} ${applicationId} ${sellerId}`}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** A picture of the figures in the table below, which screen readers read instead. */
const OperationChart = ({ operations }: { operations: OperationUsage[] }) => (
  <BarChart
    aria-hidden
    h={60 + operations.length * BAR_HEIGHT}
    data={operations}
    dataKey="operation"
    type="stacked"
    orientation="vertical"
    series={series}
    withLegend
    yAxisProps={{ width: 200 }}
    barProps={{ isAnimationActive: false }}
    barChartProps={{ accessibilityLayer: false }}
  />
)
