import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function OrderPage() {
  return (
    <Page title="Order">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
