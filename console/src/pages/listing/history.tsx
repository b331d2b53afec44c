import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { Card, List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bodyOf, service } from '../../api/client.ts'
import type { Selling } from '../../ui/for-seller.tsx'
import { formatTime, Moment } from '../../ui/moment.tsx'
import { formatMoney } from '../../ui/money.ts'
import { Loaded } from '../../ui/states.tsx'
import { changesOf, type ListingHistory, pointsOf } from './changes.ts'

const SHOWN_CHANGES = 8
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

const loadHistory = (marketplaceId: string, sku: string) =>
  bodyOf(service.GET('/console/v1/listings/{sku}/history', { params: { path: { sku }, query: { marketplaceId } } }))

/** The listing's own price and quantity over 90 days, as steps. */
export function History({ selling: { sellerId, marketplaceId }, sku }: { selling: Selling; sku: string }) {
  const query = useQuery({
    queryKey: ['listing', sellerId, marketplaceId, sku, 'history'],
    queryFn: () => loadHistory(marketplaceId, sku),
  })
  return (
    <Card withBorder component="section" aria-labelledby="history">
      <Title order={2} size="h4" mb="sm" id="history">
        Own price and quantity, 90 days
      </Title>
      <Loaded query={query}>{(history) => <Plots history={history} />}</Loaded>
    </Card>
  )
}

function Plots({ history }: { history: ListingHistory }) {
  const currency = history.entries.at(-1)?.price?.currencyCode
  const points = pointsOf(history)
  return (
    <Stack gap="sm">
      <Steps
        points={points}
        name="price"
        label="Price"
        color="cyan.7"
        format={(price) => formatMoney(price, currency)}
      />
      <Steps
        points={points}
        name="quantity"
        label="Quantity"
        color="grape.6"
        format={(pieces) => pieces.toLocaleString()}
      />
      <Changes history={history} />
    </Stack>
  )
}

interface StepsProps {
  points: ReturnType<typeof pointsOf>
  name: 'price' | 'quantity'
  label: string
  color: string
  format(value: number): string
}

/** A picture of what the list below says, which screen readers read instead. */
function Steps({ points, name, label, color, format }: StepsProps) {
  if (points.every((point) => point[name] === null)) return null
  return (
    <div aria-hidden>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <LineChart
        h={140}
        data={points}
        dataKey="time"
        series={[{ name, label, color }]}
        curveType="stepAfter"
        connectNulls={false}
        withDots={false}
        valueFormatter={format}
        yAxisProps={{
          domain: name === 'quantity' ? [0, 'auto'] : ['auto', 'auto'],
          width: 76,
          tickCount: 3,
          // Otherwise labels are left out where they come too close, and the scale seems to jump.
          interval: 'equidistantPreserveStart',
        }}
        xAxisProps={{
          type: 'number',
          scale: 'time',
          domain: ['dataMin', 'dataMax'],
          minTickGap: 40,
          tickFormatter: (time: number) => day.format(time),
        }}
        // The chart formats a label, which is not a time, also while no point is chosen.
        tooltipProps={{ labelFormatter: (time) => (typeof time === 'number' ? formatTime(new Date(time)) : '') }}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}

function Changes({ history }: { history: ListingHistory }) {
  const changes = changesOf(history)
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Neither has changed in this time.
      </Text>
    )
  }
  return (
    <div>
      <Text size="xs" c="dimmed">
        Latest changes
      </Text>
      <List size="sm" listStyleType="none">
        {changes.slice(0, SHOWN_CHANGES).map(({ from, text }) => (
          <List.Item key={from}>
            <Moment time={from} />
            {`: ${text}`}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
