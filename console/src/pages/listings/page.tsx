import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ListingsPage() {
  return (
    <Page title="Listings">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
