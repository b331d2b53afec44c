import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { RequestDetail } from '../../api/request-log.ts'
import { useAct } from '../../ui/act.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { hasSecret } from './as-code.ts'
import { type Replayed, replay } from './replay.ts'
import { ReplayResult } from './replay-result.tsx'

type Explanation = NonNullable<RequestDetail['explanation']>
type Nearest = NonNullable<Explanation['nearest']>

/** Begins a value that only the client knows, such as `<sku>`. */
const PLACEHOLDER = '%3C'

/** Why a request was refused, and what would have passed. */
export function ExplanationView({ explanation, seller }: { explanation: Explanation; seller: string | undefined }) {
  const { rule, facts, nearest, noNearest } = explanation
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <div>
          <Title order={3} size="h5">
            Why it was refused
          </Title>
          <Text size="sm">{rule}</Text>
        </div>
        {Object.keys(facts).length > 0 && (
          <DefinitionList
            entries={Object.entries(facts).map(([name, value]) => [name, <Fact key={name} value={value} />])}
          />
        )}
        {nearest && <NearestView nearest={nearest} seller={seller} />}
        {noNearest !== undefined && <Text size="sm">No request like it passes: {noNearest}</Text>}
      </Stack>
    </Paper>
  )
}

function Fact({ value }: { value: unknown }) {
  if (!isNested(value)) return String(value)
  if (Array.isArray(value) && !value.some(isNested)) return value.join(', ')
  return (
    <Code block style={{ whiteSpace: 'pre-wrap' }}>
      {JSON.stringify(value, null, 2)}
    </Code>
  )
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null

function NearestView({ nearest, seller }: { nearest: Nearest; seller: string | undefined }) {
  const { method, url, headers, body, notBefore, first } = nearest
  const send = useAct<void, Replayed>({
    run: () => replay({ method, url, sellerId: seller, ...(body !== undefined && { body: JSON.stringify(body) }) }),
  })
  const canBeSent = first === undefined && method === 'GET' && !hasSecret(url) && !url.includes(PLACEHOLDER)
  return (
    <Stack gap="xs">
      <Title order={4} size="h6">
        The nearest request that this rule lets pass
      </Title>
      <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{method}</strong> {url}
      </Text>
      {first !== undefined && <Text size="sm">Before: {first}</Text>}
      {notBefore !== undefined && (
        <Text size="sm">
          Not before <Moment time={notBefore} />
        </Text>
      )}
      {headers && (
        <Code block>
          {Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </Code>
      )}
      {body !== undefined && <JsonView label="body of the nearest request" value={body} />}
      {canBeSent && (
        <Group>
          <Button
            size="xs"
            variant="light"
            leftSection={<IconSend size={14} aria-hidden />}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            Send it as the console
          </Button>
        </Group>
      )}
      {send.data && <ReplayResult result={send.data} />}
    </Stack>
  )
}
