import { Group, Select } from '@mantine/core'
import { TextFilter } from '../../ui/text-filter.tsx'
import { IDENTIFIER_TYPES, type ListingsSearch } from './route.ts'

interface FiltersProps {
  search: ListingsSearch
  onChange(change: Partial<ListingsSearch>): void
}

export function Filters({ search, onChange }: FiltersProps) {
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Find by"
        w={100}
        data={[...IDENTIFIER_TYPES]}
        allowDeselect={false}
        value={search.type ?? 'SKU'}
        onChange={(type) => onChange({ type: type ?? undefined })}
      />
      <TextFilter
        label="Identifier"
        placeholder="The whole identifier"
        value={search.identifier}
        onChange={(identifier) => onChange({ identifier })}
        w={240}
      />
      <Select
        label="Status"
        placeholder="Any"
        clearable
        w={180}
        data={[
          { value: 'BUYABLE', label: 'Buyable' },
          { value: 'NOT_BUYABLE', label: 'Not buyable' },
          { value: 'NOT_DISCOVERABLE', label: 'Not discoverable' },
        ]}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: state ?? undefined })}
      />
      <Select
        label="Issues"
        placeholder="Any"
        clearable
        w={160}
        data={[
          { value: 'ERROR', label: 'With errors' },
          { value: 'WARNING', label: 'With warnings' },
        ]}
        value={search.issues ?? null}
        onChange={(issues) => onChange({ issues: issues ?? undefined })}
      />
    </Group>
  )
}
