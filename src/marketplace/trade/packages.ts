import { MAX_TRANSPARENCY_CODES, type Order, type PackageItem } from './order.ts'
import { type Contradiction, ORDER_STATES, shippedOf } from './order-states.ts'

/** Returns why the packages of an order cannot be these: one reason for each package. */
export function findPackageContradictions({ status, items, packages = [] }: Order): Contradiction[] {
  if (packages.length > 0 && ORDER_STATES[status].shipped === 'none') {
    return [{ field: 'packages', reason: `must be empty in an order that is ${status}` }]
  }
  const left = new Map(items.map((item) => [item.orderItemId, shippedOf(status, item)]))
  const seen = new Set<string>()
  return packages.flatMap((one, index): Contradiction[] => {
    const field = `packages[${index}]`
    if (seen.has(one.packageReferenceId)) return [{ field: `${field}.packageReferenceId`, reason: 'is duplicated' }]
    seen.add(one.packageReferenceId)
    const contradiction = findPackedItemContradiction(one.items) ?? packItems(one.items, left)
    return contradiction ? [{ ...contradiction, field: `${field}.items${contradiction.field}` }] : []
  })
}

/** Returns why a package cannot contain these items, whatever the order. The field is relative to the list. */
export function findPackedItemContradiction(items: readonly PackageItem[]): Contradiction | undefined {
  const seen = new Set<string>()
  let codes = 0
  for (const [index, { orderItemId, quantity, transparencyCodes = [] }] of items.entries()) {
    if (seen.has(orderItemId)) return { field: `[${index}].orderItemId`, reason: 'is duplicated' }
    seen.add(orderItemId)
    const field = `[${index}].transparencyCodes`
    if (transparencyCodes.length > quantity) return { field, reason: `must be at most one per piece: ${quantity}` }
    codes += transparencyCodes.length
    if (codes > MAX_TRANSPARENCY_CODES) {
      return { field, reason: `must be at most ${MAX_TRANSPARENCY_CODES} in a package` }
    }
  }
  return undefined
}

/** Takes the pieces of a package from those that are shipped. */
function packItems(items: readonly PackageItem[], left: Map<string, number>): Contradiction | undefined {
  for (const [index, { orderItemId, quantity }] of items.entries()) {
    const shipped = left.get(orderItemId)
    if (shipped === undefined) return { field: `[${index}].orderItemId`, reason: 'is not an item of the order' }
    if (quantity > shipped) {
      return {
        field: `[${index}].quantity`,
        reason: `exceeds the shipped quantity that is in no package yet: ${shipped}`,
      }
    }
    left.set(orderItemId, shipped - quantity)
  }
  return undefined
}
