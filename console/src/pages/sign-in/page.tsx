import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function SignInPage() {
  return (
    <Page title="Sign in">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
