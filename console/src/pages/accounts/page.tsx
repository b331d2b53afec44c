import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function AccountsPage() {
  return (
    <Page title="Accounts">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
