import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import type { OpenItem } from './possible-acts.ts'

/** How many pieces of each item. All of them, unless the viewer changes it. */
export function useQuantities(items: readonly OpenItem[]) {
  const [changed, setChanged] = useState<Record<string, number>>({})
  // An item can have fewer pieces left than when the viewer typed.
  const countOf = ({ orderItemId, quantity }: OpenItem) => Math.min(changed[orderItemId] ?? quantity, quantity)
  const chosen = items
    .map((item) => ({ orderItemId: item.orderItemId, quantity: countOf(item) }))
    .filter(({ quantity }) => quantity > 0)
  const inputs = items.map((item) => (
    <NumberInput
      key={item.orderItemId}
      label={item.title}
      description={`Up to ${item.quantity}`}
      min={0}
      max={item.quantity}
      allowDecimal={false}
      value={countOf(item)}
      onChange={(value) => setChanged((before) => ({ ...before, [item.orderItemId]: Number(value) || 0 }))}
    />
  ))
  return { chosen, inputs }
}
