import { Button, CloseButton, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { FaultForm } from './fault-form-state.ts'
import { type Layer, MATCH_FIELDS, type MatchField } from './fault-rule.ts'

interface ConditionsProps {
  layer: Layer
  conditions: FaultForm['conditions']
  onChange(conditions: FaultForm['conditions']): void
}

/** Ids that a call must be about. */
export function Conditions({ layer, conditions, onChange }: ConditionsProps) {
  const used = new Set(conditions.map(({ field }) => field))
  const free = MATCH_FIELDS[layer].filter((field) => !used.has(field))
  const [next] = free
  const replace = (field: MatchField, by: FaultForm['conditions']) =>
    onChange(conditions.flatMap((one) => (one.field === field ? by : [one])))
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        Only if all of these match
      </Text>
      {conditions.map(({ field, value }) => (
        <Group key={field} gap="xs" wrap="nowrap">
          <Select
            aria-label="Field"
            data={[field, ...free]}
            value={field}
            onChange={(chosen) => chosen && replace(field, [{ field: chosen as MatchField, value }])}
            allowDeselect={false}
            w={170}
          />
          <TextInput
            aria-label={`Value of ${field}`}
            value={value}
            onChange={({ currentTarget }) => replace(field, [{ field, value: currentTarget.value }])}
            flex={1}
          />
          <CloseButton aria-label={`Remove the condition ${field}`} onClick={() => replace(field, [])} />
        </Group>
      ))}
      {next && (
        <Group>
          <Button size="xs" variant="subtle" onClick={() => onChange([...conditions, { field: next, value: '' }])}>
            Add a condition
          </Button>
        </Group>
      )}
    </Stack>
  )
}
