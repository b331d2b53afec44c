import { SimpleGrid } from '@mantine/core'
import { controlPlane } from '../../api/client.ts'
import { useAct } from '../../ui/act.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Page } from '../../ui/page.tsx'
import { Forks } from './forks.tsx'
import { MarketplaceFile } from './marketplace-file.tsx'
import { Readings } from './readings.tsx'
import { useReplacedState } from './replaced-state.ts'
import { Snapshots } from './snapshots.tsx'

export function StatePage() {
  const replaced = useReplacedState()
  const reset = useAct({
    run: async () => {
      await controlPlane.POST('/_souk/reset', { body: null })
      await replaced()
    },
    done: 'The marketplace is as it was at the start.',
    changes: [],
  })
  return (
    <Page
      title="Snapshots and forks"
      about="Save and restore the whole marketplace: its data, documents, clock and quotas."
      actions={
        <ConfirmButton
          size="sm"
          color="red"
          loading={reset.isPending}
          question="Reset everything to the data of the start? Orders, reports, faults and the request log are lost. Snapshots stay."
          verb="Reset"
          onConfirm={() => reset.mutate()}
        >
          Reset
        </ConfirmButton>
      }
    >
      <Snapshots />
      <Forks />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <MarketplaceFile />
        <Readings />
      </SimpleGrid>
    </Page>
  )
}
