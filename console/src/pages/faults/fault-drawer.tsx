import { Button, Drawer, Group, MultiSelect, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { OPERATION_NAMES } from '../../api/generated/operation-names.ts'
import { useAct } from '../../ui/act.ts'
import { ErrorState } from '../../ui/states.tsx'
import { ActionFields } from './action-fields.tsx'
import { Conditions } from './conditions.tsx'
import { type FaultForm, initialParameters, LIMITS, toForm, toSettings } from './fault-form-state.ts'
import { ACTION_KINDS, BACKGROUND_OPERATIONS, type FaultKind, type Layer } from './fault-rule.ts'

interface FaultDrawerProps {
  /** What the form begins with. It is closed without one. */
  rule: Record<string, unknown> | undefined
  onClose(): void
}

export function FaultDrawer({ rule, onClose }: FaultDrawerProps) {
  return (
    <Drawer opened={rule !== undefined} onClose={onClose} position="right" size={520} title="New fault rule">
      {rule !== undefined && <FaultFormView key={JSON.stringify(rule)} rule={rule} onDone={onClose} />}
    </Drawer>
  )
}

const LAYERS: Record<Layer, string> = { request: 'Requests', job: 'Reports and feeds', message: 'Notifications' }

const KIND_CHOICES = Object.entries(LAYERS).map(([layer, group]) => ({
  group,
  items: Object.entries(ACTION_KINDS)
    .filter(([, kind]) => kind.layer === layer)
    .map(([value, { label }]) => ({ value, label })),
}))

const operationsOf = (layer: Layer): readonly string[] =>
  layer === 'request' ? OPERATION_NAMES : BACKGROUND_OPERATIONS[layer]

function FaultFormView({ rule, onDone }: { rule: Record<string, unknown>; onDone(): void }) {
  const [form, setForm] = useState(() => toForm(rule))
  const change = (part: Partial<FaultForm>) => setForm((now) => ({ ...now, ...part }))
  const add = useAct({
    run: () => bodyOf(controlPlane.POST('/_souk/faults', { body: toSettings(form) })),
    done: 'The rule applies from now on.',
    onDone,
    isErrorShown: true,
  })
  const { layer } = ACTION_KINDS[form.kind]
  const changeKind = (kind: FaultKind) => {
    const isSameLayer = ACTION_KINDS[kind].layer === layer
    change({ kind, parameters: initialParameters(kind), ...(!isSameLayer && { operations: [], conditions: [] }) })
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Stack gap="sm">
        <Select
          label="What goes wrong"
          data={KIND_CHOICES}
          value={form.kind}
          onChange={(kind) => kind && changeKind(kind as FaultKind)}
          allowDeselect={false}
          searchable
          maxDropdownHeight={320}
        />
        <ActionFields kind={form.kind} values={form.parameters} onChange={(parameters) => change({ parameters })} />
        <MultiSelect
          label="Operations"
          placeholder={form.operations.length === 0 ? 'All that fit' : ''}
          data={[...new Set([...operationsOf(layer), ...form.operations])]}
          value={form.operations}
          onChange={(operations) => change({ operations })}
          searchable
          clearable
          limit={50}
        />
        <Conditions layer={layer} conditions={form.conditions} onChange={(conditions) => change({ conditions })} />
        <SimpleGrid cols={2} spacing="sm">
          {Object.entries(LIMITS).map(([name, label]) => (
            <NumberInput
              key={name}
              label={label}
              placeholder="No limit"
              min={0}
              value={form.limits[name as keyof typeof LIMITS]}
              onChange={(value) => change({ limits: { ...form.limits, [name]: value } })}
            />
          ))}
        </SimpleGrid>
        <TextInput
          label="Name"
          placeholder="To find the rule again"
          value={form.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        {add.isError && <ErrorState error={add.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Add the rule
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
