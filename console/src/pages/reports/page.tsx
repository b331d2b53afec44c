import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { ReportList } from './report-list.tsx'
import { RequestReport } from './request-report.tsx'
import { type ReportsSearch, reportsRoute } from './route.ts'
import { ScheduleList } from './schedule-list.tsx'
import { ScheduleReport } from './schedule-report.tsx'

export function ReportsPage() {
  const search = reportsRoute.useSearch()
  const navigate = useNavigate({ from: reportsRoute.fullPath })
  const change = (changed: ReportsSearch) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true })
  const isSchedules = search.tab === 'schedules'
  const isFormOpen = search.form === 'open'
  const closeForm = () => change({ form: undefined })

  return (
    <Page
      title="Reports"
      about="Documents about orders, listings and returns, on request or on a schedule."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => change({ form: 'open' })}>
          {isSchedules ? 'New schedule' : 'Request a report'}
        </Button>
      }
    >
      <Tabs
        keepMounted={false}
        value={search.tab ?? 'reports'}
        onChange={(tab) => change({ tab: tab === 'schedules' ? 'schedules' : undefined })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="reports">Reports</Tabs.Tab>
          <Tabs.Tab value="schedules">Schedules</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="reports">
          <ReportList search={search} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="schedules">
          <ScheduleList onCreate={() => change({ form: 'open' })} />
        </Tabs.Panel>
      </Tabs>
      <RequestReport isOpen={isFormOpen && !isSchedules} onClose={closeForm} />
      <ScheduleReport isOpen={isFormOpen && isSchedules} onClose={closeForm} />
    </Page>
  )
}
