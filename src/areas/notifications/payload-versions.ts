/** Converts a payload, which events store in its newest version, to an older version. */
export function downgradePayload(type: string, payloadVersion: string, payload: object): object {
  if (type !== 'LISTINGS_ITEM_ISSUES_CHANGE' || payloadVersion !== '1.0') return payload
  const { EnforcementActions = [] } = payload as { EnforcementActions?: string[] }
  // Version 1.0 has only this action.
  return { ...payload, EnforcementActions: EnforcementActions.filter((action) => action === 'SEARCH_SUPPRESSED') }
}
