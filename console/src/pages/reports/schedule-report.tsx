import { Button, Group, Modal, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { REPORT_TYPES } from '../../api/report-types.ts'
import { useSeller } from '../../api/session.ts'
import { useAct } from '../../ui/act.ts'
import { MarketplaceSelect } from '../../ui/marketplace-select.tsx'
import { TimeInput } from '../../ui/time-input.tsx'
import { describePeriod, isPeriod, PERIODS, type Period } from './periods.ts'
import { TypeSelect } from './type-select.tsx'

export function ScheduleReport({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="New schedule">
      <ScheduleForm onClose={onClose} />
    </Modal>
  )
}

function ScheduleForm({ onClose }: { onClose(): void }) {
  const { marketplaceId } = useSeller()
  const [reportType, setReportType] = useState(REPORT_TYPES[0]?.name ?? '')
  const [marketplaceIds, setMarketplaceIds] = useState(marketplaceId ? [marketplaceId] : [])
  const [period, setPeriod] = useState<Period>('P1D')
  const [first, setFirst] = useState('')

  const create = useAct({
    run: () =>
      bodyOf(
        service.POST('/reports/2021-06-30/schedules', {
          body: { reportType, marketplaceIds, period, ...(first && { nextReportCreationTime: first }) },
        }),
      ),
    done: 'The schedule is created.',
    changes: [['reportSchedules']],
    onDone: onClose,
  })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack>
        <TypeSelect value={reportType} onChange={setReportType} />
        <MarketplaceSelect
          value={marketplaceIds}
          onChange={setMarketplaceIds}
          description="A schedule of the same type and marketplaces is replaced."
        />
        <Select
          label="Period"
          description="Each report covers the period before it."
          required
          allowDeselect={false}
          data={(Object.keys(PERIODS) as Period[]).map((value) => ({ value, label: describePeriod(value) }))}
          value={period}
          onChange={(chosen) => isPeriod(chosen) && setPeriod(chosen)}
        />
        <TimeInput label="First report" description="Default: one period from now" value={first} onChange={setFirst} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={create.isPending} disabled={marketplaceIds.length === 0}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
