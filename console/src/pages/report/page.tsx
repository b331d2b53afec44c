import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ReportPage() {
  return (
    <Page title="Report">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
