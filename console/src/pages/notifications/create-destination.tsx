import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { useAct } from '../../ui/act.ts'

export function CreateDestination({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New destination">
      <DestinationForm onClose={onClose} />
    </Modal>
  )
}

type Kind = 'sqs' | 'eventBridge'

function DestinationForm({ onClose }: { onClose(): void }) {
  const { hasControlPlane } = useSession()
  const [kind, setKind] = useState<Kind>('sqs')
  const [name, setName] = useState('')
  const [arn, setArn] = useState(hasControlPlane ? 'arn:aws:sqs:us-east-1:123456789012:my-queue' : '')
  const [accountId, setAccountId] = useState(hasControlPlane ? '123456789012' : '')
  const [region, setRegion] = useState('us-east-1')
  const create = useAct({
    run: () =>
      bodyOf(
        service.POST('/notifications/v1/destinations', {
          body: {
            name,
            resourceSpecification: kind === 'sqs' ? { sqs: { arn } } : { eventBridge: { accountId, region } },
          },
        }),
      ),
    done: 'The destination is created.',
    changes: [['destinations'], ['localQueues']],
    onDone: onClose,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={256}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <SegmentedControl
          aria-label="Kind of destination"
          data={[
            { value: 'sqs', label: 'Queue (SQS)' },
            { value: 'eventBridge', label: 'Event bus (EventBridge)' },
          ]}
          value={kind}
          onChange={(value) => setKind(value as Kind)}
        />
        {kind === 'sqs' ? (
          <TextInput
            label="ARN of the queue"
            required
            value={arn}
            onChange={({ currentTarget }) => setArn(currentTarget.value)}
            description={
              hasControlPlane && 'The local queue has a queue of this name as soon as the destination exists.'
            }
          />
        ) : (
          <>
            <TextInput
              label="Account id"
              required
              pattern="\d{12}"
              title="12 digits"
              value={accountId}
              onChange={({ currentTarget }) => setAccountId(currentTarget.value)}
            />
            <TextInput
              label="Region"
              required
              value={region}
              onChange={({ currentTarget }) => setRegion(currentTarget.value)}
            />
          </>
        )}
        <Text size="sm" c="dimmed">
          The destination belongs to the application that the seller authorized first.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
