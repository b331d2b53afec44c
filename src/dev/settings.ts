import type { Reader, Transaction } from '../platform/database/port.ts'
import { queryBuilder } from '../platform/database/query.ts'
import { upsertMany } from '../platform/database/upsert.ts'
import type { DevTables } from './tables.ts'

/** State of the stand-in that survives a restart. */
type SettingName = 'clockOffsetMilliseconds' | 'clockFrozenAt' | 'demoLoadedAt' | 'life' | 'seed'

const db = queryBuilder<DevTables>()

export async function loadSetting(reader: Reader, name: SettingName): Promise<string | undefined> {
  return (await reader.first(db.selectFrom('settings').select('value').where('name', '=', name)))?.value
}

export async function storeSetting(tx: Transaction, name: SettingName, value: string): Promise<void> {
  await upsertMany(tx, 'settings', ['name'], [{ name, value }])
}
