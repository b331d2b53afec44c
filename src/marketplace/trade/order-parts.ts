import type { Dialect } from '../../platform/database/dialect.ts'
import { nestRows, parseNested } from '../../platform/database/nested-rows.ts'
import type { Order } from './order.ts'
import { fromOrderRow, fromPackageRow } from './order-rows.ts'
import type { TradeTables } from './tables.ts'

type OrderRow = TradeTables['orders']
type ItemRow = TradeTables['order_items']
type PackageRow = TradeTables['order_packages']

const ofOrder = { of: 'orders', by: ['seller_id', 'order_id'] } as const

const ITEM_COLUMNS: readonly (keyof ItemRow)[] = [
  'order_item_id',
  'sku',
  'asin',
  'title',
  'quantity',
  'quantity_shipped',
  'price_minor',
  'tax_minor',
  'shipping_price_minor',
  'details',
]
const PACKAGE_COLUMNS: readonly (keyof PackageRow)[] = [
  'package_reference_id',
  'carrier_code',
  'carrier_name',
  'shipping_method',
  'tracking_number',
  'shipped_at',
  'created_at',
  'supply_source_id',
  'items',
]

/** The items of orders. An order is never read without them. */
export const selectItems = (dialect: Dialect) =>
  nestRows<ItemRow, 'item_rows'>(dialect, { ...ofOrder, table: 'order_items', columns: ITEM_COLUMNS }, 'item_rows')

export const selectPackages = (dialect: Dialect) =>
  nestRows<PackageRow, 'package_rows'>(
    dialect,
    { ...ofOrder, table: 'order_packages', columns: PACKAGE_COLUMNS },
    'package_rows',
  )

/** Makes an order of a row with its items, and its packages if they were selected and there are any. */
export function toOrder(row: OrderRow & { item_rows: string | null; package_rows?: string | null }): Order {
  const order = fromOrderRow(row, parseNested(row.item_rows, 'order_item_id'))
  const packages = parseNested<PackageRow>(row.package_rows ?? null, 'package_reference_id')
  return packages.length > 0 ? { ...order, packages: packages.map(fromPackageRow) } : order
}
