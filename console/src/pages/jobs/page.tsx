import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function JobsPage() {
  return (
    <Page title="Jobs">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
