import { Checkbox, Input, Rating, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconPackage, IconStar, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import { ActForm, DialogButton } from '../../ui/act-dialog.tsx'
import type { OpenItem } from './possible-acts.ts'
import { useQuantities } from './quantities.tsx'

interface ActProps {
  sellerId: string
  orderId: string
}

interface ReturnProps extends ActProps {
  items: readonly OpenItem[]
}

interface Closable {
  close(): void
}

export function Deliver(order: ActProps) {
  return (
    <DialogButton label="Carrier delivers" leftSection={<IconPackage size={18} aria-hidden />}>
      {(close) => <DeliverForm {...order} close={close} />}
    </DialogButton>
  )
}

function DeliverForm({ close, ...order }: ActProps & Closable) {
  return (
    <ActForm
      submitLabel="Deliver"
      done="The order is delivered."
      run={() => controlPlane.POST('/_souk/acts/carrier/deliver', { body: order })}
      close={close}
    >
      <Text size="sm">The carrier hands all packages of the order over to the buyer, now.</Text>
    </ActForm>
  )
}

export function Cancel(order: ActProps) {
  return (
    <DialogButton label="Buyer cancels" leftSection={<IconX size={18} aria-hidden />}>
      {(close) => <CancelForm {...order} close={close} />}
    </DialogButton>
  )
}

function CancelForm({ close, ...order }: ActProps & Closable) {
  const [reason, setReason] = useState('')
  const [isRequest, setIsRequest] = useState(false)
  return (
    <ActForm
      submitLabel={isRequest ? 'Ask for a cancellation' : 'Cancel the order'}
      done={isRequest ? 'The buyer asked for a cancellation.' : 'The order is canceled.'}
      run={() => controlPlane.POST('/_souk/acts/buyer/cancel', { body: { ...order, isRequest, ...given({ reason }) } })}
      close={close}
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
    </ActForm>
  )
}

export function GiveBack(props: ReturnProps) {
  return (
    <DialogButton label="Buyer returns" leftSection={<IconArrowBackUp size={18} aria-hidden />}>
      {(close) => <GiveBackForm {...props} close={close} />}
    </DialogButton>
  )
}

function GiveBackForm({ items, close, ...order }: ReturnProps & Closable) {
  const { chosen, inputs } = useQuantities(items)
  const [reasonCode, setReasonCode] = useState('')
  return (
    <ActForm
      submitLabel="Return"
      done="The return is requested."
      run={() =>
        controlPlane.POST('/_souk/acts/buyer/return', { body: { ...order, items: chosen, ...given({ reasonCode }) } })
      }
      close={close}
    >
      {inputs}
      <TextInput
        label="Reason code"
        placeholder="CR-UNWANTED_ITEM"
        maxLength={100}
        value={reasonCode}
        onChange={({ currentTarget }) => setReasonCode(currentTarget.value)}
      />
    </ActForm>
  )
}

export function LeaveFeedback(order: ActProps) {
  return (
    <DialogButton label="Buyer leaves feedback" leftSection={<IconStar size={18} aria-hidden />}>
      {(close) => <LeaveFeedbackForm {...order} close={close} />}
    </DialogButton>
  )
}

function LeaveFeedbackForm({ close, ...order }: ActProps & Closable) {
  const [rating, setRating] = useState(5)
  const [comment, setComment] = useState('')
  return (
    <ActForm
      submitLabel="Leave feedback"
      done="The feedback is left."
      run={() =>
        controlPlane.POST('/_souk/acts/buyer/leaveFeedback', { body: { ...order, rating, ...given({ comment }) } })
      }
      close={close}
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
    </ActForm>
  )
}

/** Empty fields are left out, so that the defaults of the service apply. */
const given = <Fields extends Record<string, string>>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) as Partial<Fields>
