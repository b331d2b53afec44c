import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function SellersPage() {
  return (
    <Page title="Sellers">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
