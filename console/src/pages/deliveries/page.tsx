import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function DeliveriesPage() {
  return (
    <Page title="Deliveries">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
