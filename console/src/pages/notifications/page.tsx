import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function NotificationsPage() {
  return (
    <Page title="Notifications">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
