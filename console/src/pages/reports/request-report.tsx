import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf, service } from '../../api/client.ts'
import { findReportType, REPORT_TYPES } from '../../api/report-types.ts'
import { useSeller } from '../../api/session.ts'
import { useAct } from '../../ui/act.ts'
import { MarketplaceSelect } from '../../ui/marketplace-select.tsx'
import { TimeInput } from '../../ui/time-input.tsx'
import { TypeSelect } from './type-select.tsx'

export function RequestReport({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Request a report">
      <RequestForm onClose={onClose} />
    </Modal>
  )
}

function RequestForm({ onClose }: { onClose(): void }) {
  const { marketplaceId } = useSeller()
  const navigate = useNavigate()
  const [reportType, setReportType] = useState(REPORT_TYPES[0]?.name ?? '')
  const [marketplaceIds, setMarketplaceIds] = useState(marketplaceId ? [marketplaceId] : [])
  const [start, setStart] = useState('')
  const [end, setEnd] = useState('')
  const days = findReportType(reportType)?.defaultDays
  const isReversed = start !== '' && end !== '' && start > end

  const request = useAct({
    run: () => {
      const period =
        days === undefined ? {} : { ...(start && { dataStartTime: start }), ...(end && { dataEndTime: end }) }
      return bodyOf(service.POST('/reports/2021-06-30/reports', { body: { reportType, marketplaceIds, ...period } }))
    },
    done: 'The report is requested.',
    changes: [['reports']],
    onDone: ({ reportId }) => void navigate({ to: '/reports/$reportId', params: { reportId } }),
  })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        request.mutate()
      }}
    >
      <Stack>
        <TypeSelect value={reportType} onChange={setReportType} />
        <MarketplaceSelect value={marketplaceIds} onChange={setMarketplaceIds} />
        {days === undefined ? (
          <Text size="sm" c="dimmed">
            The report is about the moment at which it is generated, so it has no period.
          </Text>
        ) : (
          <Group grow align="flex-start">
            <TimeInput label="From" description={`Default: ${days} days ago`} value={start} onChange={setStart} />
            <TimeInput label="To" description="Default: now" value={end} onChange={setEnd} />
          </Group>
        )}
        {isReversed && (
          <Text size="sm" c="red" role="alert">
            The period ends before it begins.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={request.isPending} disabled={marketplaceIds.length === 0 || isReversed}>
            Request
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
