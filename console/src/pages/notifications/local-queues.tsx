import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { useList } from '../../api/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { queuesQuery } from './queries.ts'

interface LocalQueuesProps {
  /** Of the queue that is open. Default: the first. */
  name: string | undefined
  onChoose(name: string | undefined): void
}

/** The queues of `souk dev`, and their messages, which stay in the queue. */
export function LocalQueues({ name, onChoose }: LocalQueuesProps) {
  const query = useQuery(queuesQuery)
  return (
    <Loaded query={query}>
      {(queues) => {
        const queue = queues.find((one) => one.name === name) ?? queues[0]
        if (!queue) return <Empty>A queue exists as soon as a destination names it.</Empty>
        const { visible, inFlight, delayed } = queue.messages
        return (
          <Stack>
            <Select
              label="Queue"
              allowDeselect={false}
              searchable
              data={queues.map((one) => ({ value: one.name, label: `${one.name} (${one.messages.visible})` }))}
              value={queue.name}
              onChange={(chosen) => onChoose(chosen ?? undefined)}
              maw={420}
            />
            <Text size="sm" c="dimmed">
              {visible.toLocaleString()} can be received, {inFlight.toLocaleString()} in flight,{' '}
              {delayed.toLocaleString()} delayed. Looking at messages does not receive them.
            </Text>
            <Messages key={queue.name} queueName={queue.name} />
          </Stack>
        )
      }}
    </Loaded>
  )
}

const loadMessages = (name: string, pageToken: string | undefined) =>
  bodyOf(
    controlPlane.GET('/_souk/queue/{name}/messages', {
      params: { path: { name }, query: pageToken === undefined ? {} : { pageToken } },
    }),
  )

type Message = Awaited<ReturnType<typeof loadMessages>>['messages'][number]

function Messages({ queueName }: { queueName: string }) {
  const [opened, setOpened] = useState<Message>()
  const list = useList(
    ['localMessages', queueName],
    async (pageToken) => {
      const page = await loadMessages(queueName, pageToken)
      return { items: page.messages, nextToken: page.nextToken }
    },
    { refetchInterval: 3_000 },
  )
  return (
    <>
      <Loaded query={list}>
        {(messages) =>
          messages.length === 0 ? (
            <Empty>The queue is empty.</Empty>
          ) : (
            <DataTable
              label="Messages"
              minWidth={860}
              columns={COLUMNS}
              rows={messages}
              keyOf={({ messageId }) => messageId}
              openKey={opened?.messageId}
              onOpen={(message) => setOpened(message)}
              {...list.more}
            />
          )
        }
      </Loaded>
      <DetailsDrawer item={opened} onClose={() => setOpened(undefined)} title={typeOf} size="xl">
        {(message) => (
          <Stack>
            <DefinitionList
              entries={[
                ['State', STATES[message.state]],
                ['Sent', <Moment key="sent" time={message.sentAt} />],
                ['Can be received', <Moment key="visible" time={message.visibleAt} />],
                ['Received', `${message.receiveCount} times`],
                ['Came from', message.deadLetterSource],
                ['Message id', message.messageId],
              ]}
            />
            <JsonView value={message.body} label="Body" />
            {message.isBodyTruncated && <Text size="sm">This is the beginning of the body.</Text>}
          </Stack>
        )}
      </DetailsDrawer>
    </>
  )
}

const STATES: Record<Message['state'], string> = {
  VISIBLE: 'Can be received',
  IN_FLIGHT: 'In flight',
  DELAYED: 'Delayed',
}

/** The type of a notification, in either of its two casings. */
function typeOf({ body }: Message): string {
  const [, type = 'Message'] = /"notificationType"\s*:\s*"([^"]+)"/i.exec(body) ?? []
  return type
}

const COLUMNS: readonly Column<Message>[] = [
  { header: 'Notification', cell: (message) => typeOf(message) },
  { header: 'State', width: '140px', cell: ({ state }) => STATES[state] },
  { header: 'Sent', width: '210px', cell: ({ sentAt }) => <Moment time={sentAt} /> },
  { header: 'Received', width: '90px', align: 'end', cell: ({ receiveCount }) => receiveCount },
  { header: 'Id', width: '200px', cell: ({ messageId }) => <span title={messageId}>{messageId}</span> },
]
