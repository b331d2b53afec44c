import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { paths } from '../../api/generated/control-plane.d.ts'
import { AnchorLink } from '../../ui/links.tsx'
import { formatMoney } from '../../ui/money.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { Loaded } from '../../ui/states.tsx'
import { overviewQuery } from './queries.ts'

type Overview = paths['/_souk/overview']['get']['responses'][200]['content']['application/json']

export function OverviewCards() {
  const overview = useQuery(overviewQuery)
  return <Loaded query={overview}>{(data) => <Cards overview={data} />}</Loaded>
}

function Cards({ overview: { activity, jobs, deliveries, queue, sales } }: { overview: Overview }) {
  const requests = activity.map((minute) => minute.requests)
  const refused = activity.map((minute) => minute.refused + minute.failed)
  const orders = sales.map((day) => day.orders)
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, xl: 6 }} spacing="sm">
      <Card link={<AnchorLink to="/requests">Requests</AnchorLink>} value={sum(requests)} note="in the last hour">
        <Sparkline values={requests} label="Requests per minute" />
      </Card>
      <Card
        link={
          <>
            <AnchorLink to="/requests" search={{ status: '4xx' }}>
              Refused
            </AnchorLink>
            {' or '}
            <AnchorLink to="/requests" search={{ status: '5xx' }}>
              failed
            </AnchorLink>
          </>
        }
        value={sum(refused)}
        note="in the last hour"
      >
        <Sparkline values={refused} label="Refused or failed requests per minute" />
      </Card>
      <Card link={<AnchorLink to="/orders">Sales</AnchorLink>} value={sum(orders)} note={revenueOf(sales)}>
        <Sparkline values={orders} label="Orders per day" />
      </Card>
      <Card
        link={
          <AnchorLink to="/operator/jobs" search={{ state: 'WAITING' }}>
            Jobs
          </AnchorLink>
        }
        value={jobs.waiting + jobs.running}
        note={`${jobs.running} running, ${jobs.givenUp} given up`}
      />
      <Card
        link={
          <AnchorLink to="/operator/deliveries" search={{ view: 'deliveries', state: 'PENDING' }}>
            Unsent notifications
          </AnchorLink>
        }
        value={deliveries.pending}
        note={`${deliveries.dead} given up`}
      />
      <Card
        link={<AnchorLink to="/notifications">Queue</AnchorLink>}
        value={queue.messages}
        note="messages in the local queues"
      />
    </SimpleGrid>
  )
}

interface CardProps {
  link: ReactNode
  value: number
  note: string
  children?: ReactNode
}

function Card({ link, value, note, children }: CardProps) {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" component="div">
        {link}
      </Text>
      <Text size="xl" fw={700}>
        {value.toLocaleString()}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
      {children}
    </Paper>
  )
}

/** One sum per currency. */
function revenueOf(sales: Overview['sales']): string {
  const sums = new Map<string, number>()
  for (const { amount, currencyCode } of sales.flatMap(({ revenue }) => revenue)) {
    sums.set(currencyCode, (sums.get(currencyCode) ?? 0) + amount)
  }
  const amounts = [...sums].map(([currency, amount]) => formatMoney(amount, currency))
  return [sales.length === 1 ? 'orders today' : `orders in ${sales.length} days`, ...amounts].join(', ')
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
