import { NumberInput, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { controlPlane } from '../../api/client.ts'
import { ActDialog } from '../../ui/act-dialog.tsx'
import type { Offer, ProductOffers } from './product.ts'

interface OfferActProps {
  product: ProductOffers
  offer: Offer
}

const ofProduct = ({ asin, marketplaceId }: ProductOffers) => ({ asin, marketplaceId })

export function SetPriceAct({ product, offer }: OfferActProps) {
  const { sellerId, listingPrice } = offer
  const [price, setPrice] = useState<number | string>(listingPrice.amount)
  return (
    <ActDialog
      label="Set price"
      title={`Set price of ${sellerId}`}
      size="compact-xs"
      submitLabel="Set the price"
      done="The competitor has a new price."
      run={() =>
        controlPlane.POST('/_souk/acts/competitor/setPrice', {
          body: { ...ofProduct(product), sellerId, price: Number(price) },
        })
      }
    >
      <PriceInput label="Price" currency={product.currencyCode} value={price} onChange={setPrice} />
    </ActDialog>
  )
}

export function LeaveAct({ product, offer: { sellerId } }: OfferActProps) {
  return (
    <ActDialog
      label="Leave"
      title={`Leave: ${sellerId}`}
      size="compact-xs"
      submitLabel="Leave the product"
      done="The competitor left the product."
      run={() => controlPlane.POST('/_souk/acts/competitor/leave', { body: { ...ofProduct(product), sellerId } })}
    >
      <Text size="sm">The competitor takes all of its offers of this product back.</Text>
    </ActDialog>
  )
}

export function JoinAct({ product }: { product: ProductOffers }) {
  const [price, setPrice] = useState<number | string>('')
  const [shipping, setShipping] = useState<number | string>(0)
  const [fulfillmentType, setFulfillmentType] = useState<'MFN' | 'AFN'>('MFN')
  return (
    <ActDialog
      label="A competitor joins"
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
    </ActDialog>
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
  return <NumberInput label={`${label} in ${currency}`} min={0} max={1e10} decimalScale={2} {...input} />
}
