import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ReportsPage() {
  return (
    <Page title="Reports">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
