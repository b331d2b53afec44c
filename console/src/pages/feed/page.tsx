import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function FeedPage() {
  return (
    <Page title="Feed">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
