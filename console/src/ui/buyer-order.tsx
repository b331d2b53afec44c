import { Button, type ButtonVariant, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconShoppingCartPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { bodyOf, controlPlane, service } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { useAct } from './act.ts'
import type { Selling } from './for-seller.tsx'
import { formatMoney } from './money.ts'

const MAX_SKU_LENGTH = 255

interface BuyerOrderProps extends Selling {
  /** The listing that the buyer orders. Default: a choice of all. */
  sku?: string
  onOrdered?(orderId: string): void
  variant?: ButtonVariant
}

/** A button with which a buyer places an order, where buyers can be played. */
export function BuyerOrder({ variant = 'filled', ...props }: BuyerOrderProps) {
  const { hasControlPlane } = useSession()
  const [isOpen, { open, close }] = useDisclosure(false)
  if (!hasControlPlane) return null
  return (
    <>
      <Button variant={variant} leftSection={<IconShoppingCartPlus size={18} aria-hidden />} onClick={open}>
        A buyer orders
      </Button>
      <Modal opened={isOpen} onClose={close} title="A buyer orders">
        <OrderForm {...props} close={close} />
      </Modal>
    </>
  )
}

function OrderForm({ sellerId, marketplaceId, sku, onOrdered, close }: BuyerOrderProps & { close(): void }) {
  const [chosen, choose] = useState<string | null>(sku ?? null)
  const [quantity, setQuantity] = useState<number | string>(1)
  const order = useAct({
    run: () =>
      bodyOf(
        controlPlane.POST('/_souk/acts/buyer/order', {
          body: { sellerId, marketplaceId, sku: chosen ?? '', quantity: Number(quantity) },
        }),
      ),
    done: ({ orderId }) => `Order ${orderId} was placed.`,
    onDone: ({ orderId }) => {
      close()
      onOrdered?.(orderId)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    order.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {sku === undefined ? (
          <SkuSelect sellerId={sellerId} marketplaceId={marketplaceId} value={chosen} onChange={choose} />
        ) : (
          <Text>{sku}</Text>
        )}
        <NumberInput
          label="Quantity"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={quantity}
          onChange={setQuantity}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={chosen === null || !quantity} loading={order.isPending}>
            Place the order
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface SkuSelectProps extends Selling {
  value: string | null
  onChange(sku: string | null): void
}

/** The newest listings that can be bought, and any other one by its exact SKU. */
function SkuSelect({ sellerId, marketplaceId, value, onChange }: SkuSelectProps) {
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), 300)
  const [chosen, setChosen] = useState<{ value: string; label: string }>()
  // The input has the label of a choice, which is no SKU.
  const isSearch = typed !== '' && typed !== chosen?.label.trim() && typed.length <= MAX_SKU_LENGTH
  const search = (identifiers?: string[]) =>
    bodyOf(
      service.GET('/listings/2021-08-01/items/{sellerId}', {
        params: {
          path: { sellerId },
          query: {
            marketplaceIds: [marketplaceId],
            includedData: ['summaries', 'offers'],
            pageSize: 20,
            ...(identifiers ? { identifiers, identifiersType: 'SKU' } : { withStatus: ['BUYABLE'] }),
          },
        },
      }),
    )
  const newest = useQuery({ queryKey: ['skus', sellerId, marketplaceId], queryFn: () => search() })
  const exact = useQuery({
    queryKey: ['skus', sellerId, marketplaceId, typed],
    queryFn: () => search([typed]),
    enabled: isSearch,
  })
  const found = [...(newest.data?.items ?? []), ...(exact.data?.items ?? [])].map((item) => ({
    value: item.sku,
    label: labelOf(item),
  }))
  // A choice stays, though the next search does not find it.
  const options = new Map([...(chosen ? [chosen] : []), ...found].map((option) => [option.value, option]))
  return (
    <Select
      label="SKU"
      description="Type a SKU to find listings that are not in the list."
      searchable
      data-autofocus
      data={[...options.values()]}
      value={value}
      onChange={(sku) => {
        setChosen(options.get(sku ?? ''))
        onChange(sku)
      }}
      onSearchChange={setText}
      nothingFoundMessage={newest.isPending || exact.isFetching ? 'Searching' : 'No such listing'}
    />
  )
}

interface ListedItem {
  sku: string
  summaries?: { itemName?: string }[]
  offers?: { price: { amount: string; currencyCode: string } }[]
}

function labelOf({ sku, summaries, offers }: ListedItem): string {
  const price = offers?.[0]?.price
  const parts = [sku, summaries?.[0]?.itemName, price && formatMoney(price.amount, price.currencyCode)]
  return parts.filter(Boolean).join(' · ')
}
