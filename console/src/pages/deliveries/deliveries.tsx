import { Text } from '@mantine/core'
import { bodyOf, service } from '../../api/client.ts'
import type { paths } from '../../api/generated/service.d.ts'
import { useList } from '../../api/pages.ts'
import { useAct } from '../../ui/act.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { DeadLetterActions } from './dead-letter-actions.tsx'
import type { Opened } from './opened.ts'

type DeliveriesBody = paths['/operator/v1/deliveries']['get']['responses']['200']['content']['application/json']
type Delivery = DeliveriesBody['deliveries'][number]

const NOTHING: Record<Delivery['state'], string> = {
  DEAD: 'No notification was given up.',
  PENDING: 'No notification waits.',
}

interface DeliveriesProps {
  filter: { state: Delivery['state']; type?: string | undefined; seller?: string | undefined }
  onOpen(opened: Opened): void
}

export function Deliveries({ filter: { state, type, seller }, onOpen }: DeliveriesProps) {
  const deliveries = useList(
    ['operator', 'deliveries', state, type, seller],
    async (pageToken) => {
      const query = { state, pageToken, notificationType: type, sellerId: seller }
      const page = await bodyOf(service.GET('/operator/v1/deliveries', { params: { query } }))
      return { items: page.deliveries, nextToken: page.nextToken }
    },
    { refetchInterval: 5_000 },
  )
  const isFiltered = type !== undefined || seller !== undefined
  const changes = [['operator', 'deliveries']]
  const retry = useAct({
    run: (delivery: Delivery) =>
      service.POST('/operator/v1/deliveries/{applicationId}/{destinationId}/{deliveryId}/retry', pathOf(delivery)),
    done: 'The notification is sent again.',
    changes,
  })
  const discard = useAct({
    run: (delivery: Delivery) =>
      service.DELETE('/operator/v1/deliveries/{applicationId}/{destinationId}/{deliveryId}', pathOf(delivery)),
    done: 'The notification is discarded.',
    changes,
  })
  const columns: Column<Delivery>[] = [
    { header: 'Type', cell: (delivery) => delivery.notificationType, width: '24%' },
    { header: 'Seller', cell: (delivery) => delivery.sellerId ?? '–', width: '16%' },
    { header: 'Event', cell: (delivery) => <Moment time={delivery.eventTime} />, width: '190px' },
    { header: 'Attempts', cell: (delivery) => delivery.attempts, align: 'end', width: '90px' },
    {
      header: 'Last error',
      cell: (delivery) => (
        <Text size="sm" lineClamp={1} title={delivery.lastError}>
          {delivery.lastError ?? '–'}
        </Text>
      ),
    },
    ...(state === 'DEAD'
      ? [
          {
            header: 'Actions',
            width: '190px',
            cell: (delivery: Delivery) => (
              <DeadLetterActions
                what="notification"
                retry={() => retry.mutate(delivery)}
                discard={() => discard.mutate(delivery)}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <Loaded query={deliveries}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty>{isFiltered ? 'No notification matches these filters.' : NOTHING[state]}</Empty>
        ) : (
          <DataTable
            label="Deliveries"
            columns={columns}
            rows={rows}
            keyOf={({ destinationId, deliveryId }) => `${destinationId} ${deliveryId}`}
            onOpen={(delivery) => onOpen({ title: `Delivery ${delivery.deliveryId}`, value: delivery })}
            {...deliveries.more}
          />
        )
      }
    </Loaded>
  )
}

const pathOf = ({ applicationId, destinationId, deliveryId }: Delivery) => ({
  params: { path: { applicationId, destinationId, deliveryId } },
})
