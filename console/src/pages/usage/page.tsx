import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function UsagePage() {
  return (
    <Page title="Usage">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
