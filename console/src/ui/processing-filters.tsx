import { Button, type ComboboxData, Group, MultiSelect } from '@mantine/core'
import { PROCESSING_STATUSES, type ProcessingStatus } from '../api/processing.ts'
import { processingLabel } from './processing-status.tsx'
import { Empty } from './states.tsx'

interface ProcessingFilter {
  types?: string[] | undefined
  states?: ProcessingStatus[] | undefined
}

interface ProcessingFiltersProps {
  typeOptions: ComboboxData
  search: ProcessingFilter
  onChange(changed: ProcessingFilter): void
}

/** Which reports or feeds a list has. */
export const ProcessingFilters = ({ typeOptions, search: { types, states }, onChange }: ProcessingFiltersProps) => (
  <Group align="flex-end">
    <MultiSelect
      label="Type"
      placeholder={types ? undefined : 'All types'}
      data={typeOptions}
      value={types ?? []}
      onChange={(names) => onChange({ types: names.length > 0 ? names : undefined })}
      clearable
      searchable
      w={{ base: '100%', sm: 320 }}
    />
    <MultiSelect
      label="State"
      placeholder={states ? undefined : 'All states'}
      data={PROCESSING_STATUSES.map((status) => ({ value: status, label: processingLabel(status) }))}
      value={states ?? []}
      onChange={(chosen) => onChange({ states: chosen.length > 0 ? (chosen as ProcessingStatus[]) : undefined })}
      clearable
      w={{ base: '100%', sm: 260 }}
    />
  </Group>
)

/** Instead of a list that the filters left empty. */
export const NoMatch = ({ what, onChange }: { what: 'feed' | 'report'; onChange(all: ProcessingFilter): void }) => (
  <Empty
    action={
      <Button variant="default" onClick={() => onChange({ types: undefined, states: undefined })}>
        {`Show all ${what}s`}
      </Button>
    }
  >
    {`No ${what} of the last 90 days matches these filters.`}
  </Empty>
)
