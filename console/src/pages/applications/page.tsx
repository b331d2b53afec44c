import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ApplicationsPage() {
  return (
    <Page title="Applications">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
