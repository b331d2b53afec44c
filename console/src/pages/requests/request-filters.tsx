import { Group, Pill, Select } from '@mantine/core'
import { OPERATION_NAMES } from '../../api/generated/operation-names.ts'
import { type RequestFilter, SUBJECTS } from '../../api/request-log.ts'
import { useSession } from '../../api/session.ts'
import { TextFilter } from '../../ui/text-filter.tsx'

const STATUSES = [
  { value: '2xx', label: '2xx success' },
  { value: '4xx', label: '4xx refused' },
  { value: '429', label: '429 throttled' },
  { value: '5xx', label: '5xx failed' },
]

interface RequestFiltersProps {
  filter: RequestFilter
  onChange(change: RequestFilter): void
}

export function RequestFilters({ filter, onChange }: RequestFiltersProps) {
  const { sellers } = useSession()
  const { status } = filter
  const statuses =
    status === undefined || STATUSES.some(({ value }) => value === status)
      ? STATUSES
      : [...STATUSES, { value: status, label: status }]
  return (
    <Group gap="xs">
      <TextFilter
        aria-label="Text in the URL or a body"
        placeholder="Text in the URL or a body"
        value={filter.q}
        onChange={(q) => onChange({ q })}
        w={230}
      />
      <Select
        aria-label="Operation"
        placeholder="All operations"
        data={[...OPERATION_NAMES, 'unknown']}
        value={filter.operation ?? null}
        onChange={(operation) => onChange({ operation: operation ?? undefined })}
        searchable
        clearable
        limit={50}
        w={230}
      />
      <Select
        aria-label="Status"
        placeholder="Any status"
        data={statuses}
        value={status ?? null}
        onChange={(value) => onChange({ status: value ?? undefined })}
        clearable
        w={150}
      />
      <Select
        aria-label="Seller"
        placeholder="All sellers"
        data={sellers.map(({ sellerId, name }) => ({ value: sellerId, label: name }))}
        value={filter.seller ?? null}
        onChange={(seller) => onChange({ seller: seller ?? undefined })}
        clearable
        w={200}
      />
      {SUBJECTS.filter((subject) => filter[subject] !== undefined).map((subject) => (
        <Pill
          key={subject}
          size="md"
          withRemoveButton
          onRemove={() => onChange({ [subject]: undefined })}
          removeButtonProps={{ 'aria-label': `Remove the filter ${subject}`, 'aria-hidden': false, tabIndex: 0 }}
        >
          {subject}: {filter[subject]}
        </Pill>
      ))}
    </Group>
  )
}
