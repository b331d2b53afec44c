import { Checkbox, Input, Rating, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconPackage, IconStar, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import { ActDialog } from '../../ui/act-dialog.tsx'
import type { OpenItem } from './possible-acts.ts'
import { useQuantities } from './quantities.tsx'

interface ActProps {
  sellerId: string
  orderId: string
}

export function Deliver(order: ActProps) {
  return (
    <ActDialog
      label="Carrier delivers"
      leftSection={<IconPackage size={18} aria-hidden />}
      submitLabel="Deliver"
      done="The order is delivered."
      run={() => controlPlane.POST('/_souk/acts/carrier/deliver', { body: order })}
    >
      <Text size="sm">The carrier hands all packages of the order over to the buyer, now.</Text>
    </ActDialog>
  )
}

export function Cancel(order: ActProps) {
  const [reason, setReason] = useState('')
  const [isRequest, setIsRequest] = useState(false)
  return (
    <ActDialog
      label="Buyer cancels"
      leftSection={<IconX size={18} aria-hidden />}
      submitLabel={isRequest ? 'Ask for a cancellation' : 'Cancel the order'}
      done={isRequest ? 'The buyer asked for a cancellation.' : 'The order is canceled.'}
      run={() => controlPlane.POST('/_souk/acts/buyer/cancel', { body: { ...order, isRequest, ...given({ reason }) } })}
    >
      <TextInput
        label="Reason"
        placeholder="The buyer changed their mind."
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Checkbox
        label="Only ask the seller to cancel"
        checked={isRequest}
        onChange={({ currentTarget }) => setIsRequest(currentTarget.checked)}
      />
    </ActDialog>
  )
}

export function GiveBack({ items, ...order }: ActProps & { items: readonly OpenItem[] }) {
  const { chosen, inputs } = useQuantities(items)
  const [reasonCode, setReasonCode] = useState('')
  return (
    <ActDialog
      label="Buyer returns"
      leftSection={<IconArrowBackUp size={18} aria-hidden />}
      submitLabel="Return"
      done="The return is requested."
      run={() =>
        controlPlane.POST('/_souk/acts/buyer/return', { body: { ...order, items: chosen, ...given({ reasonCode }) } })
      }
    >
      {inputs}
      <TextInput
        label="Reason code"
        placeholder="CR-UNWANTED_ITEM"
        maxLength={100}
        value={reasonCode}
        onChange={({ currentTarget }) => setReasonCode(currentTarget.value)}
      />
    </ActDialog>
  )
}

export function LeaveFeedback(order: ActProps) {
  const [rating, setRating] = useState(5)
  const [comment, setComment] = useState('')
  return (
    <ActDialog
      label="Buyer leaves feedback"
      leftSection={<IconStar size={18} aria-hidden />}
      submitLabel="Leave feedback"
      done="The feedback is left."
      run={() =>
        controlPlane.POST('/_souk/acts/buyer/leaveFeedback', { body: { ...order, rating, ...given({ comment }) } })
      }
    >
      <Input.Wrapper label="Rating" labelElement="div">
        <Rating value={rating} onChange={setRating} getSymbolLabel={(value) => `${value} of 5 stars`} />
      </Input.Wrapper>
      <Textarea
        label="Comment"
        placeholder="A text that fits the rating"
        maxLength={1000}
        autosize
        minRows={2}
        value={comment}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
    </ActDialog>
  )
}

/** Empty fields are left out, so that the defaults of the service apply. */
const given = <Fields extends Record<string, string>>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<Fields>
