import type { Reader, Transaction } from '../database/port.ts'
import { prepare, queryBuilder } from '../database/query.ts'
import { prepareUpsert } from '../database/upsert.ts'
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

const selectSetting = prepare((params: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', params.name),
)
const upsertSetting = prepareUpsert<SettingTables['settings']>('settings', ['name'])

export async function loadSetting(reader: Reader, name: SettingName): Promise<string | undefined> {
  return (await reader.first(selectSetting, { name }))?.value
}

export async function storeSetting(tx: Transaction, name: SettingName, value: string): Promise<void> {
  await tx.run(upsertSetting, { name, value })
}
