import { Card, Rating, Text, Timeline, Title } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCheck,
  IconPackage,
  IconShoppingCart,
  IconStar,
  IconTruck,
  IconX,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Moment } from '../../ui/moment.tsx'
import type { Order, OrderView } from './order.ts'

interface Step {
  time: string | undefined
  title: string
  icon: typeof IconCheck
  detail?: ReactNode
}

export function History(view: OrderView) {
  const steps = stepsOf(view)
  return (
    <Card withBorder component="section" aria-labelledby="history">
      <Title order={2} size="h4" mb="md" id="history">
        History
      </Title>
      <Timeline active={steps.length} bulletSize={26} lineWidth={2}>
        {steps.map(({ time, title, icon: Icon, detail }) => (
          <Timeline.Item key={`${title} ${time}`} title={title} bullet={<Icon size={14} aria-hidden />}>
            <Text size="sm" c="dimmed">
              <Moment time={time} />
            </Text>
            {detail}
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  )
}

function stepsOf({ order, history }: OrderView): Step[] {
  const { acknowledgedAt, deliveredAt, cancellation, feedback } = history
  const steps: Step[] = [
    { time: history.purchasedAt, title: 'Ordered', icon: IconShoppingCart },
    ...shipments(order, history.shippedAt),
    ...history.returns.map(({ rmaId, requestedAt, status, items }) => ({
      time: requestedAt,
      title: `Return ${status.toLowerCase()}`,
      icon: IconArrowBackUp,
      detail: <Text size="sm">{`${count(items)}, ${items[0]?.reasonCode}, ${rmaId}`}</Text>,
    })),
  ]
  if (acknowledgedAt) steps.push({ time: acknowledgedAt, title: 'Acknowledged by the seller', icon: IconCheck })
  if (deliveredAt) steps.push({ time: deliveredAt, title: 'Delivered', icon: IconPackage })
  if (feedback)
    steps.push({ time: feedback.submittedAt, title: 'Feedback', icon: IconStar, detail: <Feedback {...feedback} /> })
  if (history.status === 'Canceled') {
    const by =
      cancellation && `By the ${PARTIES[cancellation.by]}${cancellation.reason ? `: ${cancellation.reason}` : ''}`
    steps.push({ time: history.updatedAt, title: 'Canceled', icon: IconX, detail: <Text size="sm">{by}</Text> })
  }
  // Stable, so that steps of the same moment stay in the order in which they happen.
  return steps.sort((a, b) => (a.time ?? '').localeCompare(b.time ?? ''))
}

const PARTIES = { BUYER: 'buyer', MERCHANT: 'seller', AMAZON: 'marketplace' } as const

function shipments({ packages = [] }: Order, shippedAt: string | undefined): Step[] {
  if (packages.length === 0) return shippedAt ? [{ time: shippedAt, title: 'Shipped', icon: IconTruck }] : []
  return packages.map(({ shipTime, carrier, trackingNumber, packageItems, packageReferenceId }) => ({
    time: shipTime,
    title: `Package ${packageReferenceId} shipped`,
    icon: IconTruck,
    detail: <Text size="sm">{[count(packageItems), carrier, trackingNumber].filter(Boolean).join(', ')}</Text>,
  }))
}

function count(items: readonly { quantity: number }[]): string {
  const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
  return pieces === 1 ? '1 piece' : `${pieces} pieces`
}

function Feedback({ rating, comment, response }: { rating: number; comment: string; response?: string }) {
  return (
    <>
      <Rating value={rating} readOnly size="xs" role="img" aria-label={`${rating} of 5 stars`} />
      <Text size="sm">{comment}</Text>
      {response && <Text size="sm" c="dimmed">{`The seller's response: ${response}`}</Text>}
    </>
  )
}
