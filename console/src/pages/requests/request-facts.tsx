import { Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type RequestDetail, type RequestFilter, SUBJECTS, urlOf } from '../../api/request-log.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Moment } from '../../ui/moment.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'

const OUTCOMES = {
  running: 'Still running',
  completed: undefined,
  clientGone: 'The client left before it had the response',
}

export function RequestFacts({ request }: { request: RequestDetail }) {
  const { method, status, outcome, operation, seller, application, quota, faultId, milliseconds } = request
  return (
    <div>
      <Group gap="xs" mb="xs" wrap="nowrap" align="flex-start">
        <StatusBadge status={status} outcome={outcome} />
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          <strong>{method}</strong> {urlOf(request)}
        </Text>
      </Group>
      <DefinitionList
        entries={[
          ['Operation', <FilterLink key="operation" search={{ operation }} label={operation} />],
          ['Outcome', OUTCOMES[outcome]],
          ['Marketplace time', <Moment key="time" time={request.time} />],
          ['Real time', <Moment key="startedAt" time={request.startedAt} />],
          ['Took', milliseconds === undefined ? undefined : `${milliseconds} ms`],
          ['Seller', seller && <FilterLink search={{ seller }} label={seller} />],
          ['Application', application],
          ...SUBJECTS.map((subject) => [subject, subjectLinks(request, subject)] as const),
          [
            'Quota',
            quota && `${quota.left} of ${quota.burst} were left; one more every ${round(1 / quota.perSecond)} s`,
          ],
          [
            'Changed by',
            faultId && (
              <AnchorLink to="/faults" size="sm">
                fault rule {faultId}
              </AnchorLink>
            ),
          ],
          ['Request id', <Code key="id">{request.id}</Code>],
        ]}
      />
    </div>
  )
}

function subjectLinks({ subjects }: RequestDetail, subject: (typeof SUBJECTS)[number]): ReactNode {
  const ids = subjects[subject]
  if (!ids?.length) return undefined
  return (
    <Group gap="xs">
      {ids.slice(0, 20).map((id) => (
        <FilterLink key={id} search={{ [subject]: id }} label={id} />
      ))}
      {ids.length > 20 && `and ${ids.length - 20} more`}
    </Group>
  )
}

/** All requests about the same. */
function FilterLink({ search, label }: { search: RequestFilter; label: string }) {
  return (
    <AnchorLink to="/requests" search={search} size="sm">
      {label}
    </AnchorLink>
  )
}

const round = (value: number) => Math.round(value * 100) / 100
