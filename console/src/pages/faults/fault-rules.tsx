import { Button, Group, Stack, Switch, Table, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { controlPlane } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { describeAction, describeLimits, describeMatch, type FaultRule } from './fault-rule.ts'

interface FaultRulesProps {
  query: UseQueryResult<FaultRule[]>
  onShowIncidents(): void
}

export function FaultRules({ query, onShowIncidents }: FaultRulesProps) {
  const removeAll = useAct({ run: () => controlPlane.DELETE('/_souk/faults'), done: 'All rules are removed.' })
  return (
    <Loaded query={query}>
      {(rules) =>
        rules.length === 0 ? (
          <Empty
            action={
              <Button variant="default" onClick={onShowIncidents}>
                See the incidents
              </Button>
            }
          >
            No rules: everything works. Add a rule, make one of a request in the log, or start an incident.
          </Empty>
        ) : (
          <Stack gap="sm">
            <Group>
              <ConfirmButton
                question={`Remove all ${rules.length} rules? Active incidents end.`}
                verb="Remove"
                onConfirm={() => removeAll.mutate()}
              >
                Remove all
              </ConfirmButton>
            </Group>
            <Table.ScrollContainer minWidth={860}>
              <Table layout="fixed">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th w={80}>On</Table.Th>
                    <Table.Th>Effect</Table.Th>
                    <Table.Th>Calls</Table.Th>
                    <Table.Th w={170}>Limits</Table.Th>
                    <Table.Th w={110} ta="end">
                      Hits
                    </Table.Th>
                    <Table.Th w={100} aria-label="Actions" />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {rules.map((rule) => (
                    <RuleRow key={rule.id} rule={rule} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </Stack>
        )
      }
    </Loaded>
  )
}

function RuleRow({ rule }: { rule: FaultRule }) {
  const { id, name, incident, enabled, calls, hits, createdAt } = rule
  const title = name ?? incident ?? describeAction(rule.action)
  const path = { id }
  const toggle = useAct({
    run: () => controlPlane.PATCH('/_souk/faults/{id}', { params: { path }, body: { enabled: !enabled } }),
  })
  const remove = useAct({
    run: () => controlPlane.DELETE('/_souk/faults/{id}', { params: { path } }),
    done: 'The rule is removed.',
  })
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Switch
          aria-label={`${title} is on`}
          checked={enabled}
          disabled={toggle.isPending}
          onChange={() => toggle.mutate()}
        />
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          {describeAction(rule.action)}
        </Text>
        <Text size="xs" c="dimmed">
          {[name !== incident && name, incident && `incident ${incident}`].filter(Boolean).join(', ')} since{' '}
          <Moment time={createdAt} />
        </Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{describeMatch(rule.match)}</Table.Td>
      <Table.Td>{describeLimits(rule) || 'none'}</Table.Td>
      <Table.Td ta="end">
        {hits} of {calls}
      </Table.Td>
      <Table.Td ta="end">
        <Button
          size="xs"
          variant="subtle"
          color="red"
          loading={remove.isPending}
          aria-label={`Remove ${title}`}
          onClick={() => remove.mutate()}
        >
          Remove
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
