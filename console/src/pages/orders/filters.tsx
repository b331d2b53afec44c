import { Group, MultiSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { FULFILLMENT_STATUSES, type FulfillmentStatus } from '../../ui/order-status.tsx'
import type { OrdersSearch } from './route.ts'

interface FiltersProps {
  search: OrdersSearch
  onChange(change: Partial<OrdersSearch>): void
}

export function Filters({ search, onChange }: FiltersProps) {
  const [orderId, setOrderId] = useState(search.orderId ?? '')
  const searchOrder = useDebouncedCallback((text: string) => onChange({ orderId: text.trim() || undefined }), 300)
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="Order id"
        placeholder="000-0000000-0000000"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={orderId}
        maxLength={100}
        w={240}
        onChange={({ currentTarget: { value } }) => {
          setOrderId(value)
          searchOrder(value)
        }}
      />
      <MultiSelect
        label="Status"
        placeholder={search.status?.length ? undefined : 'Any'}
        data={FULFILLMENT_STATUSES}
        value={search.status ?? []}
        clearable
        miw={200}
        onChange={(status) => onChange({ status: status.length > 0 ? (status as FulfillmentStatus[]) : undefined })}
      />
      <TextInput
        type="date"
        label="From"
        value={search.from ?? ''}
        max={search.to}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="To"
        value={search.to ?? ''}
        min={search.from}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
    </Group>
  )
}
