import { Badge, type MantineColor } from '@mantine/core'

interface Appearance {
  label: string
  color: MantineColor
}

const APPEARANCES = {
  PENDING_AVAILABILITY: { label: 'Pending availability', color: 'gray' },
  PENDING: { label: 'Pending', color: 'gray' },
  UNSHIPPED: { label: 'Unshipped', color: 'orange' },
  PARTIALLY_SHIPPED: { label: 'Partially shipped', color: 'yellow' },
  SHIPPED: { label: 'Shipped', color: 'teal' },
  CANCELLED: { label: 'Canceled', color: 'red' },
  UNFULFILLABLE: { label: 'Unfulfillable', color: 'red' },
} as const satisfies Record<string, Appearance>

export type FulfillmentStatus = keyof typeof APPEARANCES

export const FULFILLMENT_STATUSES = Object.entries(APPEARANCES).map(([value, { label }]) => ({
  value: value as FulfillmentStatus,
  label,
}))

export function OrderStatus({ status }: { status: FulfillmentStatus | undefined }) {
  if (!status) return null
  const { label, color } = APPEARANCES[status]
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
    </Badge>
  )
}
