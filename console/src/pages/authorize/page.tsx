import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function AuthorizePage() {
  return (
    <Page title="Authorize an application">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
