import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function RequestsPage() {
  return (
    <Page title="Requests">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
