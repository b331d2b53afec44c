import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { IDENTIFIER_TYPES, type ListingsSearch } from './route.ts'

interface FiltersProps {
  search: ListingsSearch
  onChange(change: Partial<ListingsSearch>): void
}

export function Filters({ search, onChange }: FiltersProps) {
  const [identifier, setIdentifier] = useState(search.identifier ?? '')
  const find = useDebouncedCallback((text: string) => onChange({ identifier: text.trim() || undefined }), 300)
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
      <TextInput
        label="Identifier"
        placeholder="The whole identifier"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={identifier}
        maxLength={255}
        w={240}
        onChange={({ currentTarget: { value } }) => {
          setIdentifier(value)
          find(value)
        }}
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
