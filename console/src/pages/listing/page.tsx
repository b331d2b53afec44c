import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ListingPage() {
  return (
    <Page title="Listing">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
