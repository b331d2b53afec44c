import type { Migration } from '../platform/database/migrate.ts'

/** Rows of these are updated with each notification of a product. The new version fits on the page of the old one. */
const UPDATED_IN_PLACE = ['market_notices', 'pricing_health_notices']

export const noticesInPlace: Migration = {
  name: '0039-notices-in-place',
  statements: (dialect) =>
    dialect === 'sqlite' ? [] : UPDATED_IN_PLACE.map((table) => `alter table ${table} set (fillfactor = 70)`),
}
