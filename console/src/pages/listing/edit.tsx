import { Alert, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconPencil } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAct } from '../../ui/act.ts'
import type { Selling } from '../../ui/for-seller.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { decimalPlacesOf } from '../../ui/money.ts'
import { notifyDone, notifyError } from '../../ui/notify.ts'
import { ErrorState } from '../../ui/states.tsx'
import { Issues } from './issues.tsx'
import type { Listing } from './listing.ts'
import { hasOwnStock, patchOf, sendPatch, termsOf } from './patch.ts'

interface EditProps {
  selling: Selling
  listing: Listing
  currency: string
}

export function Edit(props: EditProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button leftSection={<IconPencil size={18} aria-hidden />} onClick={open}>
        Edit price and quantity
      </Button>
      <Modal opened={isOpen} onClose={close} title="Edit price and quantity" size="lg">
        <EditForm {...props} close={close} />
      </Modal>
    </>
  )
}

/** A change is previewed before it can be sent. */
function EditForm({ selling, listing, currency, close }: EditProps & { close(): void }) {
  const before = termsOf(listing)
  const [price, setPrice] = useState<number | string>(before.price ?? '')
  const [quantity, setQuantity] = useState<number | string>(before.quantity ?? '')
  const body = patchOf(
    before,
    { price: numberOf(price), quantity: numberOf(quantity) },
    currency,
    selling.marketplaceId,
  )
  const isChanged = body.patches.length > 0
  const preview = useMutation({ mutationFn: () => sendPatch(selling, listing.sku, body, 'VALIDATION_PREVIEW') })
  const send = useAct({
    run: () => sendPatch(selling, listing.sku, body, undefined),
    onDone: ({ status, issues }) => {
      if (status === 'INVALID') return notifyError(new Error(issues?.[0]?.message ?? 'The change is invalid.'))
      notifyDone('The change is accepted.')
      close()
    },
  })
  const change = (set: (value: number | string) => void) => (value: number | string) => {
    set(value)
    preview.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (preview.data?.status === 'VALID') send.mutate()
    else preview.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group grow align="flex-start">
          <NumberInput
            label={`Price in ${currency}`}
            min={0}
            max={1e10}
            decimalScale={decimalPlacesOf(currency)}
            data-autofocus
            value={price}
            onChange={change(setPrice)}
          />
          {hasOwnStock(listing) && (
            <NumberInput
              label="Quantity"
              min={0}
              max={1_000_000_000}
              allowDecimal={false}
              value={quantity}
              onChange={change(setQuantity)}
            />
          )}
        </Group>
        {isChanged ? (
          <div>
            <Text size="sm" fw={500} mb={4}>
              The body of patchListingsItem
            </Text>
            <JsonView value={body} label="The body of patchListingsItem" />
          </div>
        ) : (
          <Text size="sm" c="dimmed">
            Change a value to see the patch.
          </Text>
        )}
        {preview.error && <ErrorState error={preview.error} />}
        {preview.data && <Outcome status={preview.data.status} issues={preview.data.issues ?? []} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {preview.data?.status === 'VALID' ? (
            <Button type="submit" loading={send.isPending}>
              Send the patch
            </Button>
          ) : (
            <Button type="submit" disabled={!isChanged} loading={preview.isPending}>
              Preview
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

const numberOf = (value: number | string) => (value === '' ? undefined : Number(value))

function Outcome({ status, issues }: { status: string; issues: NonNullable<Listing['issues']> }) {
  const isValid = status === 'VALID'
  return (
    <Alert
      role="status"
      color={isValid ? 'teal' : 'red'}
      icon={isValid ? <IconCheck /> : <IconAlertTriangle />}
      title={isValid ? 'The preview found the patch valid' : 'The preview found the patch invalid'}
    >
      {issues.length > 0 && <Issues issues={issues} />}
    </Alert>
  )
}
