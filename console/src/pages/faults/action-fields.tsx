import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { FaultForm } from './fault-form-state.ts'
import { ACTION_KINDS, type FaultKind } from './fault-rule.ts'

interface ActionFieldsProps {
  kind: FaultKind
  values: FaultForm['parameters']
  onChange(values: FaultForm['parameters']): void
}

/** The parameters of an action. */
export function ActionFields({ kind, values, onChange }: ActionFieldsProps) {
  const { fields } = ACTION_KINDS[kind]
  if (fields.length === 0) return null
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {fields.map(({ name, label, type }) => {
        const value = values[name] ?? ''
        const set = (next: string | number | boolean) => onChange({ ...values, [name]: next })
        if (type === 'number')
          return <NumberInput key={name} label={label} min={0} value={value as number | string} onChange={set} />
        if (type === 'text') {
          return (
            <TextInput
              key={name}
              label={label}
              placeholder="Default"
              value={String(value)}
              onChange={({ currentTarget }) => set(currentTarget.value)}
            />
          )
        }
        const isBoolean = type === 'boolean'
        return (
          <Select
            key={name}
            label={label}
            placeholder="Default"
            data={isBoolean ? ['true', 'false'] : [...type]}
            value={value === '' ? null : String(value)}
            onChange={(next) => set(next === null ? '' : isBoolean ? next === 'true' : next)}
            clearable
          />
        )
      })}
    </SimpleGrid>
  )
}
