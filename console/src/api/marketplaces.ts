interface Marketplace {
  country: string
  timeZone: string
}

/** The country and time zone of the marketplaces that sellers know by their id. */
const MARKETPLACES: Record<string, Marketplace> = {
  A1PA6795UKMFR9: { country: 'DE', timeZone: 'Europe/Berlin' },
  A1F83G8C2ARO7P: { country: 'UK', timeZone: 'Europe/London' },
  A13V1IB3VIYZZH: { country: 'FR', timeZone: 'Europe/Paris' },
  APJ6JRA9NG5V4: { country: 'IT', timeZone: 'Europe/Rome' },
  A1RKKUPIHCS9HS: { country: 'ES', timeZone: 'Europe/Madrid' },
  A1805IZSGTT6HS: { country: 'NL', timeZone: 'Europe/Amsterdam' },
  A2NODRKZP88ZB9: { country: 'SE', timeZone: 'Europe/Stockholm' },
  A1C3SOZRARQ6R3: { country: 'PL', timeZone: 'Europe/Warsaw' },
  AMEN7PMS3EDWL: { country: 'BE', timeZone: 'Europe/Brussels' },
  A33AVAJ2PDY3EV: { country: 'TR', timeZone: 'Europe/Istanbul' },
  ATVPDKIKX0DER: { country: 'US', timeZone: 'America/Los_Angeles' },
  A2EUQ1WTGCTBG2: { country: 'CA', timeZone: 'America/Los_Angeles' },
  A1AM78C64UM0Y8: { country: 'MX', timeZone: 'America/Los_Angeles' },
  A2Q3Y263D00KWC: { country: 'BR', timeZone: 'America/Sao_Paulo' },
  A1VC38T7YXB528: { country: 'JP', timeZone: 'Asia/Tokyo' },
  A39IBJ37TRP1C6: { country: 'AU', timeZone: 'Australia/Sydney' },
  A21TJRUUN4KGV: { country: 'IN', timeZone: 'Asia/Kolkata' },
  A19VAU5U5O7RUS: { country: 'SG', timeZone: 'Asia/Singapore' },
  A2VIGQ35RCS4UG: { country: 'AE', timeZone: 'Asia/Dubai' },
}

export const timeZoneOf = (marketplaceId: string | undefined): string =>
  MARKETPLACES[marketplaceId ?? '']?.timeZone ?? 'UTC'

/** `DE · A1PA6795UKMFR9`, or the id alone for a marketplace of the operator's own. */
export function marketplaceLabel(marketplaceId: string): string {
  const known = MARKETPLACES[marketplaceId]
  return known ? `${known.country} · ${marketplaceId}` : marketplaceId
}
