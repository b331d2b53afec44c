import { Group, SegmentedControl, Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { NOTIFICATION_TYPES } from '../../api/notification-types.ts'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Page } from '../../ui/page.tsx'
import { TextFilter } from '../../ui/text-filter.tsx'
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
        {search.view === 'deliveries' && (
          <>
            <Select
              aria-label="Type"
              placeholder="All types"
              clearable
              searchable
              data={NOTIFICATION_TYPES.map(({ name }) => name)}
              value={search.type ?? null}
              onChange={(type) => show({ type: type ?? undefined })}
              w={300}
            />
            <TextFilter
              aria-label="Seller"
              placeholder="Id of a seller"
              value={search.seller}
              onChange={(seller) => show({ seller })}
              w={200}
            />
          </>
        )}
      </Group>
      {search.view === 'deliveries' ? (
        <Deliveries filter={search} onOpen={setOpened} />
      ) : (
        <Events state={search.state} onOpen={setOpened} />
      )}
      <DetailsDrawer item={opened} onClose={() => setOpened(undefined)} title={({ title }) => title}>
        {({ title, value }) => <JsonView label={title} value={value} />}
      </DetailsDrawer>
    </Page>
  )
}
