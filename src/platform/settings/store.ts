import type { Reader, Transaction } from '../database/port.ts'
import { queryBuilder } from '../database/query.ts'
import { upsertMany } from '../database/upsert.ts'
import type { SettingTables } from './tables.ts'

/** State of the installation that survives a restart. All but `documentFolderMarkedAt` are of the stand-in. */
type SettingName =
  | 'clockOffsetMilliseconds'
  | 'clockFrozenAt'
  | 'demoLoadedAt'
  | 'documentFolderMarkedAt'
  | 'life'
  | 'seed'

const db = queryBuilder<SettingTables>()

export async function loadSetting(reader: Reader, name: SettingName): Promise<string | undefined> {
  return (await reader.first(db.selectFrom('settings').select('value').where('name', '=', name)))?.value
}

export async function storeSetting(tx: Transaction, name: SettingName, value: string): Promise<void> {
  await upsertMany(tx, 'settings', ['name'], [{ name, value }])
}
