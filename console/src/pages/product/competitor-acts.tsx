import { NumberInput, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import { ActForm, DialogButton } from '../../ui/act-dialog.tsx'
import { decimalPlacesOf } from '../../ui/money.ts'
import type { Offer, ProductOffers } from './product.ts'

interface OfferActProps {
  product: ProductOffers
  offer: Offer
}

interface Closable {
  close(): void
}

const ofProduct = ({ asin, marketplaceId }: ProductOffers) => ({ asin, marketplaceId })

export function SetPriceAct(props: OfferActProps) {
  return (
    <DialogButton label="Set price" title={`Set price of ${props.offer.sellerId}`} size="compact-xs">
      {(close) => <SetPriceActForm {...props} close={close} />}
    </DialogButton>
  )
}

function SetPriceActForm({ product, offer: { sellerId, listingPrice }, close }: OfferActProps & Closable) {
  const [price, setPrice] = useState<number | string>(listingPrice.amount)
  return (
    <ActForm
      submitLabel="Set the price"
      done="The competitor has a new price."
      run={() =>
        controlPlane.POST('/_souk/acts/competitor/setPrice', {
          body: { ...ofProduct(product), sellerId, price: Number(price) },
        })
      }
      close={close}
    >
      <PriceInput label="Price" currency={product.currencyCode} value={price} onChange={setPrice} />
    </ActForm>
  )
}

export function LeaveAct(props: OfferActProps) {
  return (
    <DialogButton label="Leave" title={`Leave: ${props.offer.sellerId}`} size="compact-xs">
      {(close) => <LeaveActForm {...props} close={close} />}
    </DialogButton>
  )
}

function LeaveActForm({ product, offer: { sellerId }, close }: OfferActProps & Closable) {
  return (
    <ActForm
      submitLabel="Leave the product"
      done="The competitor left the product."
      run={() => controlPlane.POST('/_souk/acts/competitor/leave', { body: { ...ofProduct(product), sellerId } })}
      close={close}
    >
      <Text size="sm">The competitor takes all of its offers of this product back.</Text>
    </ActForm>
  )
}

export function JoinAct(props: Pick<OfferActProps, 'product'>) {
  return <DialogButton label="A competitor joins">{(close) => <JoinActForm {...props} close={close} />}</DialogButton>
}

function JoinActForm({ product, close }: Pick<OfferActProps, 'product'> & Closable) {
  const [price, setPrice] = useState<number | string>('')
  const [shipping, setShipping] = useState<number | string>(0)
  const [fulfillmentType, setFulfillmentType] = useState<'MFN' | 'AFN'>('MFN')
  return (
    <ActForm
      submitLabel="Join"
      done="A new competitor has an offer."
      run={() =>
        controlPlane.POST('/_souk/acts/competitor/join', {
          body: {
            ...ofProduct(product),
            fulfillmentType,
            shipping: Number(shipping),
            ...(price !== '' && { price: Number(price) }),
          },
        })
      }
      close={close}
    >
      <PriceInput
        label="Price"
        description="Default: the lowest price of the product"
        currency={product.currencyCode}
        value={price}
        onChange={setPrice}
      />
      <PriceInput label="Shipping" currency={product.currencyCode} value={shipping} onChange={setShipping} />
      <Select
        label="Fulfilled by"
        allowDeselect={false}
        data={[
          { value: 'MFN', label: 'The competitor' },
          { value: 'AFN', label: 'The marketplace' },
        ]}
        value={fulfillmentType}
        onChange={(value) => setFulfillmentType(value === 'AFN' ? 'AFN' : 'MFN')}
      />
    </ActForm>
  )
}

interface PriceInputProps {
  label: string
  description?: string
  currency: string
  value: number | string
  onChange(value: number | string): void
}

function PriceInput({ label, currency, ...input }: PriceInputProps) {
  return (
    <NumberInput
      label={`${label} in ${currency}`}
      min={0}
      max={1e10}
      decimalScale={decimalPlacesOf(currency)}
      {...input}
    />
  )
}
