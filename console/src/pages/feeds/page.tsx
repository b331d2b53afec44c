import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function FeedsPage() {
  return (
    <Page title="Feeds">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
