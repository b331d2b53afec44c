import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function HomePage() {
  return (
    <Page title="Home">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
