import { TextInput } from '@mantine/core'
import { IconTruck } from '@tabler/icons-react'
import { useState } from 'react'
import { bodyOf, sellerHeader, service } from '../../api/client.ts'
import { ActForm, DialogButton } from '../../ui/act-dialog.tsx'
import type { Order } from './order.ts'
import type { OpenItem } from './possible-acts.ts'
import { useQuantities } from './quantities.tsx'

interface ShipProps {
  order: Order
  marketplaceId: string
  items: readonly OpenItem[]
}

/** The seller's own act: confirmShipment, with one package. */
export function Ship(props: ShipProps) {
  return (
    <DialogButton label="Ship" leftSection={<IconTruck size={18} aria-hidden />} variant="filled">
      {(close) => <ShipForm {...props} close={close} />}
    </DialogButton>
  )
}

function ShipForm({ order, marketplaceId, items, close }: ShipProps & { close(): void }) {
  const { chosen, inputs } = useQuantities(items)
  const [carrierCode, setCarrierCode] = useState('DHL')
  const [trackingNumber, setTrackingNumber] = useState('')
  const run = async () => {
    const headers = sellerHeader()
    // The service's own time: a ship date in its future is refused.
    const { now } = await bodyOf(service.GET('/console/v1/session'))
    return service.POST('/orders/v0/orders/{orderId}/shipmentConfirmation', {
      params: { path: { orderId: order.orderId } },
      headers,
      body: {
        marketplaceId,
        packageDetail: {
          packageReferenceId: nextPackageId(order),
          carrierCode,
          trackingNumber,
          shipDate: now,
          orderItems: chosen,
        },
      },
    })
  }
  return (
    <ActForm submitLabel="Confirm the shipment" done="The shipment is confirmed." run={run} close={close}>
      {inputs}
      <TextInput
        label="Carrier code"
        required
        maxLength={500}
        value={carrierCode}
        onChange={({ currentTarget }) => setCarrierCode(currentTarget.value)}
      />
      <TextInput
        label="Tracking number"
        required
        maxLength={500}
        data-autofocus
        value={trackingNumber}
        onChange={({ currentTarget }) => setTrackingNumber(currentTarget.value)}
      />
    </ActForm>
  )
}

/** One more than the greatest that the order has. */
const nextPackageId = ({ packages = [] }: Order) =>
  String(
    packages.map(({ packageReferenceId }) => BigInt(packageReferenceId)).reduce((a, b) => (a > b ? a : b), 0n) + 1n,
  )
