import { Drawer, Group, SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { JsonView } from '../../ui/json-view.tsx'
import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Events } from './events.tsx'
import type { Opened } from './opened.ts'
import { deliveriesRoute } from './route.ts'

/** Notifications that wait, and those that were given up: dead letters. */
export function DeliveriesPage() {
  const search = deliveriesRoute.useSearch()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>()
  const show = (change: Partial<typeof search>) =>
    void navigate({ to: '/operator/deliveries', search: { ...search, ...change } })
  const List = search.view === 'deliveries' ? Deliveries : Events
  return (
    <Page
      title="Deliveries"
      about="Events become deliveries, one for each subscription. What cannot be processed is kept here as a dead letter."
    >
      <Group>
        <SegmentedControl
          aria-label="What to list"
          data={[
            { value: 'deliveries', label: 'Deliveries' },
            { value: 'events', label: 'Events' },
          ]}
          value={search.view}
          onChange={(view) => show({ view: view as typeof search.view })}
        />
        <SegmentedControl
          aria-label="State"
          data={[
            { value: 'DEAD', label: 'Dead letters' },
            { value: 'PENDING', label: 'Waiting' },
          ]}
          value={search.state}
          onChange={(state) => show({ state: state as typeof search.state })}
        />
      </Group>
      <List state={search.state} onOpen={setOpened} />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.title}
        position="right"
        size="lg"
      >
        {opened && <JsonView label={opened.title} value={opened.value} />}
      </Drawer>
    </Page>
  )
}
