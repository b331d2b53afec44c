import { Alert, Drawer, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Ref } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import type { RequestDetail } from '../../api/request-log.ts'
import { JsonView, TextView } from '../../ui/json-view.tsx'
import { Loaded } from '../../ui/states.tsx'
import { asCurl, asFetch } from './as-code.ts'
import { asSdk } from './as-sdk.ts'
import { ExplanationView } from './explanation-view.tsx'
import { MessageView } from './message-view.tsx'
import { RequestActions } from './request-actions.tsx'
import { RequestFacts } from './request-facts.tsx'

interface RequestPanelProps {
  id: string | undefined
  /** What gets the focus of a viewer who goes into the panel. */
  content: Ref<HTMLDivElement>
  onClose(): void
}

/** One request of the log, next to the list, which stays usable: the focus remains there. */
export function RequestPanel({ id, content, onClose }: RequestPanelProps) {
  return (
    <Drawer.Root
      opened={id !== undefined}
      onClose={onClose}
      position="right"
      size={620}
      lockScroll={false}
      trapFocus={false}
      returnFocus={false}
      shadow="xl"
    >
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>Request</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body ref={content} tabIndex={-1}>
          {id !== undefined && <PanelContent key={id} id={id} />}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function PanelContent({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ['request', id],
    queryFn: () => bodyOf(controlPlane.GET('/_souk/requests/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.outcome === 'running' ? 1_000 : false),
  })
  return (
    <Loaded query={detail}>
      {(request) => (
        <Stack gap="md">
          <RequestFacts request={request} />
          {request.error && <RefusalView error={request.error} explanation={request.explanation} />}
          {request.explanation && <ExplanationView explanation={request.explanation} seller={request.seller} />}
          <RequestActions request={request} />
          <Messages request={request} />
        </Stack>
      )}
    </Loaded>
  )
}

/** What the response says, unless the explanation repeats it. */
function RefusalView({
  error,
  explanation,
}: Required<Pick<RequestDetail, 'error'>> & Pick<RequestDetail, 'explanation'>) {
  if (explanation?.rule.includes(error.message)) return null
  return (
    <Alert color="orange" title={error.code} c="inherit">
      <Text size="sm">{error.message}</Text>
      <Text size="sm">{error.reason}</Text>
    </Alert>
  )
}

function Messages({ request }: { request: RequestDetail }) {
  const { origin } = location
  const sdkCode = asSdk(request, origin)
  return (
    <Tabs defaultValue="response" keepMounted={false}>
      <Tabs.List mb="sm">
        <Tabs.Tab value="response">Response</Tabs.Tab>
        <Tabs.Tab value="request">Request</Tabs.Tab>
        <Tabs.Tab value="curl">curl</Tabs.Tab>
        <Tabs.Tab value="fetch">JavaScript</Tabs.Tab>
        {sdkCode !== undefined && <Tabs.Tab value="sdk">JavaScript SDK</Tabs.Tab>}
        <Tabs.Tab value="entry">Entry</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="response">
        {request.response ? (
          <MessageView message={request.response} label="response" />
        ) : (
          <Text c="dimmed">There is no response yet.</Text>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="request">
        <MessageView message={request.request} label="request" />
      </Tabs.Panel>
      <Tabs.Panel value="curl">
        <SecretNote />
        <TextView label="curl command" text={asCurl(request, origin)} />
      </Tabs.Panel>
      <Tabs.Panel value="fetch">
        <SecretNote />
        <TextView label="JavaScript code" text={asFetch(request, origin)} />
      </Tabs.Panel>
      {sdkCode !== undefined && (
        <Tabs.Panel value="sdk">
          <SecretNote />
          <TextView label="code for the JavaScript SDK" text={sdkCode} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="entry">
        <JsonView label="entry of the log" value={request} />
      </Tabs.Panel>
    </Tabs>
  )
}

const SecretNote = () => (
  <Text size="sm" c="dimmed" mb="xs">
    The log does not keep secrets: set the variables, and replace [redacted], before you run it.
  </Text>
)
