import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function OrdersPage() {
  return (
    <Page title="Orders">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
