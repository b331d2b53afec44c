import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import type { AccountTables } from './tables.ts'

export type ExpiringCredential = 'client_secret_expires_at' | 'previous_secret_ends_at' | 'previous_signing_key_ends_at'

const db = queryBuilder<AccountTables>()

const prepareEarliest = (column: ExpiringCredential) =>
  prepare((params: { after: string; limit: number }) =>
    db
      .selectFrom('applications')
      .select(['application_id', `${column} as ends_at`])
      .where(column, '>', params.after)
      .orderBy(column)
      .orderBy('application_id')
      .limit(params.limit),
  )

const earliest = {
  client_secret_expires_at: prepareEarliest('client_secret_expires_at'),
  previous_secret_ends_at: prepareEarliest('previous_secret_ends_at'),
  previous_signing_key_ends_at: prepareEarliest('previous_signing_key_ends_at'),
}

/** The applications whose credential ends next after a time. */
export async function findExpiringCredentials(
  reader: Reader,
  credential: ExpiringCredential,
  after: Date,
  limit: number,
): Promise<{ applicationId: string; endsAt: Date }[]> {
  const rows = await reader.all(earliest[credential], { after: after.toISOString(), limit })
  return rows.map((row) => ({ applicationId: row.application_id, endsAt: new Date(row.ends_at as string) }))
}
