import type { Migration } from '../platform/database/migrate.ts'

/**
 * The search keys of products without foreign keys and without an index by product. They are written with the product,
 * which is never deleted, and deleted by their own key. Checking and indexing each word took longer than all else that
 * a new product needs.
 */
export const catalogKeys: Migration = {
  name: '0037-catalog-keys',
  statements: (dialect) =>
    dialect === 'sqlite'
      ? [
          ...replaceTable('catalog_identifiers', ['marketplace_id', 'identifier_type', 'identifier', 'asin']),
          ...replaceTable('catalog_words', ['marketplace_id', 'word', 'asin']),
        ]
      : [
          'alter table catalog_identifiers drop constraint catalog_identifiers_marketplace_id_asin_fkey',
          'drop index catalog_identifiers_by_item',
          'alter table catalog_words drop constraint catalog_words_marketplace_id_asin_fkey',
          'drop index catalog_words_by_item',
          // Marketplaces and sellers are never deleted either. The check locks their rows, which all workers share.
          'alter table catalog_items drop constraint catalog_items_marketplace_id_fkey',
          'alter table listings drop constraint listings_seller_id_fkey, drop constraint listings_marketplace_id_fkey',
        ],
}

/** SQLite cannot drop a foreign key. All columns are part of the key. */
const replaceTable = (table: string, columns: readonly string[]) => [
  `alter table ${table} rename to old_${table}`,
  `create table ${table} (
    ${columns.map((column) => `${column} text not null`).join(', ')},
    primary key (${columns.join(', ')})
  ) without rowid`,
  `insert into ${table} select ${columns.join(', ')} from old_${table}`,
  `drop table old_${table}`,
]
