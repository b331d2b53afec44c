import type { paths } from '../../api/generated/service.d.ts'

type AccountsBody = paths['/operator/v1/consoleAccounts']['get']['responses']['200']['content']['application/json']

export type Account = AccountsBody['consoleAccounts'][number]

export const ACCOUNTS_KEY = ['operator', 'accounts'] as const
