import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ProductPage() {
  return (
    <Page title="Product">
      <Empty>This page is being built.</Empty>
    </Page>
  )
}
