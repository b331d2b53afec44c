import type { paths } from '../../api/generated/service.d.ts'

type ApplicationsBody = paths['/operator/v1/applications']['get']['responses']['200']['content']['application/json']
type AuthorizationsBody = paths['/operator/v1/authorizations']['get']['responses']['200']['content']['application/json']

export type Application = ApplicationsBody['applications'][number]
export type Authorization = AuthorizationsBody['authorizations'][number]
export type Role = NonNullable<Application['roles']>[number]

export const ROLES = [
  'DIRECT_TO_CONSUMER_SHIPPING',
  'TAX_INVOICING',
  'TAX_REMITTANCE',
] as const satisfies readonly Role[]
