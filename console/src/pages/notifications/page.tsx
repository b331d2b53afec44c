import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { Destinations } from './destinations.tsx'
import { EventBus } from './event-bus.tsx'
import { LocalQueues } from './local-queues.tsx'
import { type NotificationsSearch, notificationsRoute } from './route.ts'
import { Subscriptions } from './subscriptions.tsx'

export function NotificationsPage() {
  const search = notificationsRoute.useSearch()
  const { hasControlPlane } = useSession()
  const navigate = useNavigate({ from: notificationsRoute.fullPath })
  const tab = search.tab === 'deliveries' || hasControlPlane ? search.tab : undefined
  const change = (changed: NotificationsSearch) =>
    void navigate({ search: (old) => ({ ...old, ...changed }), replace: true })
  return (
    <Page title="Notifications" about="What Souk sends to queues and event buses when something happens.">
      <Tabs
        keepMounted={false}
        value={tab ?? 'subscriptions'}
        onChange={(next) =>
          change({ tab: next === 'subscriptions' ? undefined : (next as NotificationsSearch['tab']) })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="subscriptions">Subscriptions</Tabs.Tab>
          {hasControlPlane && <Tabs.Tab value="destinations">Destinations</Tabs.Tab>}
          <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
          {hasControlPlane && <Tabs.Tab value="queue">Local queue</Tabs.Tab>}
          {hasControlPlane && <Tabs.Tab value="eventBus">Event bus</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="subscriptions">
          <Subscriptions />
        </Tabs.Panel>
        {hasControlPlane && (
          <Tabs.Panel value="destinations">
            <Destinations />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="deliveries">
          <Deliveries search={search} onChange={change} />
        </Tabs.Panel>
        {hasControlPlane && (
          <Tabs.Panel value="queue">
            <LocalQueues name={search.queue} onChoose={(queue) => change({ queue })} />
          </Tabs.Panel>
        )}
        {hasControlPlane && (
          <Tabs.Panel value="eventBus">
            <EventBus />
          </Tabs.Panel>
        )}
      </Tabs>
    </Page>
  )
}
