/** Events carry the newest version of their payload; this makes an older one of it, where there is one. */
export function downgradePayload(type: string, payloadVersion: string, payload: object): object {
  if (type !== 'LISTINGS_ITEM_ISSUES_CHANGE' || payloadVersion !== '1.0') return payload
  const { EnforcementActions = [] } = payload as { EnforcementActions?: string[] }
  // The first version knows of one action only.
  return { ...payload, EnforcementActions: EnforcementActions.filter((action) => action === 'SEARCH_SUPPRESSED') }
}
