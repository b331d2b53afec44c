import { MultiSelect, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { NotificationType } from '../../api/notification-types.ts'
import { MarketplaceSelect } from '../../ui/marketplace-select.tsx'

const ORDER_CHANGES = ['BuyerRequestedChange', 'DeliveryTipChange', 'OrderStatusChange'] as const
const PERIODS = ['FiveMinutes', 'TenMinutes'] as const

type OrderChange = (typeof ORDER_CHANGES)[number]
type AggregationPeriod = (typeof PERIODS)[number]

export interface FilterDraft {
  kind: 'none' | 'event' | 'expression'
  marketplaceIds: string[]
  orderChangeTypes: OrderChange[]
  aggregation: AggregationPeriod | undefined
  trackingId: string
  expression: string
}

export const NO_FILTER: FilterDraft = {
  kind: 'none',
  marketplaceIds: [],
  orderChangeTypes: [],
  aggregation: undefined,
  trackingId: '',
  expression: '',
}

/** What createSubscription expects, or nothing. */
export function toDirective(draft: FilterDraft, type: NotificationType) {
  if (draft.kind === 'expression') return { filterExpression: draft.expression }
  if (draft.kind === 'none' || !type.eventFilter) return undefined
  const { marketplaceIds, orderChangeTypes, aggregation, trackingId } = draft
  return {
    eventFilter: {
      eventFilterType: type.name as 'ANY_OFFER_CHANGED' | 'ORDER_CHANGE' | 'SHIPMENT_TRACKING_MILESTONE_CHANGED',
      ...(marketplaceIds.length > 0 && { marketplaceIds }),
      ...(orderChangeTypes.length > 0 && { orderChangeTypes }),
      ...(aggregation && { aggregationSettings: { aggregationTimePeriod: aggregation } }),
      ...(trackingId !== '' && { trackingIdentifier: { id: trackingId } }),
    },
  }
}

interface FilterFieldsProps {
  type: NotificationType
  value: FilterDraft
  onChange(value: FilterDraft): void
}

export function FilterFields({ type, value, onChange }: FilterFieldsProps) {
  const kinds = [
    { value: 'none', label: 'No filter' },
    ...(type.eventFilter ? [{ value: 'event', label: 'Event filter' }] : []),
    ...(type.supportsExpressions ? [{ value: 'expression', label: 'Expression' }] : []),
  ]
  const change = (changed: Partial<FilterDraft>) => onChange({ ...value, ...changed })
  if (kinds.length === 1) return null
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Filter"
        data={kinds}
        value={value.kind}
        onChange={(kind) => change({ kind: kind as FilterDraft['kind'] })}
      />
      {value.kind === 'event' && <EventFilterFields fields={type.eventFilter ?? []} value={value} onChange={change} />}
      {value.kind === 'expression' && (
        <Textarea
          label="Filter expression"
          description="Common Expression Language over the payload; at most 256 characters"
          required
          maxLength={256}
          autosize
          minRows={2}
          value={value.expression}
          onChange={({ currentTarget }) => change({ expression: currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      )}
    </Stack>
  )
}

interface EventFilterFieldsProps {
  fields: NonNullable<NotificationType['eventFilter']>
  value: FilterDraft
  onChange(changed: Partial<FilterDraft>): void
}

function EventFilterFields({ fields, value, onChange }: EventFilterFieldsProps) {
  return (
    <>
      {fields.includes('marketplaces') && (
        <MarketplaceSelect
          isRequired={false}
          description="Default: all"
          value={value.marketplaceIds}
          onChange={(marketplaceIds) => onChange({ marketplaceIds })}
        />
      )}
      {fields.includes('orderChangeTypes') && (
        <MultiSelect
          label="Kinds of changes"
          description="Default: all"
          data={[...ORDER_CHANGES]}
          value={value.orderChangeTypes}
          onChange={(chosen) => onChange({ orderChangeTypes: chosen as OrderChange[] })}
        />
      )}
      {fields.includes('aggregation') && (
        <Select
          label="Aggregation"
          description="The first change of a product is sent at once, and the last one of this time at its end."
          placeholder="None"
          clearable
          data={[
            { value: 'FiveMinutes', label: 'Five minutes' },
            { value: 'TenMinutes', label: 'Ten minutes' },
          ]}
          value={value.aggregation ?? null}
          onChange={(period) => onChange({ aggregation: (period as AggregationPeriod | null) ?? undefined })}
        />
      )}
      {fields.includes('tracking') && (
        <TextInput
          label="Tracking id"
          required
          maxLength={200}
          value={value.trackingId}
          onChange={({ currentTarget }) => onChange({ trackingId: currentTarget.value })}
        />
      )}
    </>
  )
}
