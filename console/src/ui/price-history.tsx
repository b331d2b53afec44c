import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, service } from '../api/client.ts'
import { formatMoney } from './money.ts'
import { Empty, Loaded } from './states.tsx'

const EVENTS = {
  FIRST_KNOWN: { label: 'First known', color: 'gray.6' },
  RAISED: { label: 'Raised', color: 'red.6' },
  LOWERED: { label: 'Lowered', color: 'teal.6' },
  NOT_FEATURED: { label: 'No offer featured', color: 'gray.6' },
  FEATURED_AGAIN: { label: 'Featured again', color: 'blue.6' },
} as const

const SHOWN_EVENTS = 8

const loadHistory = (asin: string, marketplaceId: string) =>
  bodyOf(
    service.GET('/console/v1/products/{asin}/priceHistory', { params: { path: { asin }, query: { marketplaceId } } }),
  )
type History = Awaited<ReturnType<typeof loadHistory>>

/** The featured price of a product on 90 days, with the days on which it changed. */
export function PriceHistory({ asin, marketplaceId }: { asin: string; marketplaceId: string }) {
  const query = useQuery({
    queryKey: ['product', asin, marketplaceId, 'history'],
    queryFn: () => loadHistory(asin, marketplaceId),
  })
  return (
    <Card withBorder component="section" aria-labelledby="price-history">
      <Title order={2} size="h4" mb="sm" id="price-history">
        Featured price, 90 days
      </Title>
      <Loaded query={query}>
        {(history) =>
          history.events.length > 0 ? <Plot history={history} /> : <Empty>No offer was featured in 90 days.</Empty>
        }
      </Loaded>
    </Card>
  )
}

function Plot({ history }: { history: History }) {
  const { days, currencyCode, wasPrice, thresholdPrice } = history
  const money = (amount: number) => formatMoney(amount, currencyCode)
  return (
    <Stack gap="sm">
      <LineChart
        h={260}
        role="img"
        aria-label="Featured price of each day. The changes are listed below."
        data={days.map(({ date, featuredPrice }) => ({ date, price: featuredPrice?.amount ?? null }))}
        dataKey="date"
        series={[{ name: 'price', label: 'Featured price', color: 'cyan.7' }]}
        curveType="stepAfter"
        connectNulls={false}
        withDots={false}
        valueFormatter={money}
        yAxisProps={{ domain: ['auto', 'auto'], width: 76 }}
        xAxisProps={{ minTickGap: 40 }}
        referenceLines={
          wasPrice ? [{ y: wasPrice.amount, color: 'gray.6', label: 'Median', labelPosition: 'insideTopRight' }] : []
        }
        referenceDots={dotsOf(history)}
      />
      <Group gap="lg">
        <Fact label="Median of 90 days" amount={wasPrice?.amount} format={money} />
        <Fact label="Not featured above" amount={thresholdPrice?.amount} format={money} />
        <Fact label="Lowest offer now" amount={history.lowestPrice?.amount} format={money} />
      </Group>
      <Changes history={history} format={money} />
    </Stack>
  )
}

const dotsOf = ({ events }: History) =>
  events.flatMap(({ date, kind, featuredPrice }) =>
    featuredPrice ? [{ x: date, y: featuredPrice.amount, r: 4, color: EVENTS[kind].color }] : [],
  )

interface FactProps {
  label: string
  amount: number | undefined
  format(amount: number): string
}

function Fact({ label, amount, format }: FactProps) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm">{amount === undefined ? '–' : format(amount)}</Text>
    </div>
  )
}

function Changes({ history: { events }, format }: { history: History; format(amount: number): string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        Latest changes
      </Text>
      <List size="sm" listStyleType="none">
        {events
          .slice(-SHOWN_EVENTS)
          .reverse()
          .map(({ date, kind, featuredPrice }) => (
            <List.Item key={date}>
              {`${date}: ${EVENTS[kind].label}${featuredPrice ? `, ${format(featuredPrice.amount)}` : ''}`}
            </List.Item>
          ))}
      </List>
    </div>
  )
}
