import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function GradePage() {
  return (
    <Page title="Grade">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
