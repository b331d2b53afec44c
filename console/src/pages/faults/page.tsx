import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { bodyOf, controlPlane } from '../../api/client.ts'
import { Page } from '../../ui/page.tsx'
import { FaultDrawer } from './fault-drawer.tsx'
import { FaultRules } from './fault-rules.tsx'
import { Incidents } from './incidents.tsx'
import { faultsRoute } from './route.ts'

export function FaultsPage() {
  const { view, rule } = faultsRoute.useSearch()
  const navigate = useNavigate({ from: '/faults' })
  const show = (isIncidents: boolean) => void navigate({ search: isIncidents ? { view: 'incidents' } : {} })
  const rules = useQuery({
    queryKey: ['faults'],
    queryFn: async () => (await bodyOf(controlPlane.GET('/_souk/faults'))).faults,
    refetchInterval: 3_000,
  })
  const incidents = useQuery({
    queryKey: ['incidents'],
    queryFn: async () => (await bodyOf(controlPlane.GET('/_souk/incidents'))).incidents,
    refetchInterval: 3_000,
  })
  const active = incidents.data?.filter(({ active }) => active).length ?? 0

  return (
    <Page
      title="Faults and incidents"
      about="Rules by which requests, reports, feeds and notifications fail, and problems that many developers had."
      actions={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ search: { rule: {} } })}
        >
          New rule
        </Button>
      }
    >
      <Tabs value={view ?? 'rules'} onChange={(value) => show(value === 'incidents')} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="rules">Rules{rules.data && ` (${rules.data.length})`}</Tabs.Tab>
          <Tabs.Tab value="incidents">Incidents{active > 0 && ` (${active} active)`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="rules">
          <FaultRules query={rules} onShowIncidents={() => show(true)} />
        </Tabs.Panel>
        <Tabs.Panel value="incidents">
          <Incidents query={incidents} />
        </Tabs.Panel>
      </Tabs>
      <FaultDrawer rule={rule} onClose={() => void navigate({ search: {} })} />
    </Page>
  )
}
