import type { Marketplace } from '../../marketplace/accounts/marketplaces.ts'

const rows = [
  ['ATVPDKIKX0DER', 'US', 'USD', 'en_US', 'amazon.com'],
  ['A2EUQ1WTGCTBG2', 'CA', 'CAD', 'en_CA', 'amazon.ca'],
  ['A1AM78C64UM0Y8', 'MX', 'MXN', 'es_MX', 'amazon.com.mx'],
  ['A2Q3Y263D00KWC', 'BR', 'BRL', 'pt_BR', 'amazon.com.br'],
  ['A1RKKUPIHCS9HS', 'ES', 'EUR', 'es_ES', 'amazon.es'],
  ['A1F83G8C2ARO7P', 'GB', 'GBP', 'en_GB', 'amazon.co.uk'],
  ['A13V1IB3VIYZZH', 'FR', 'EUR', 'fr_FR', 'amazon.fr'],
  ['AMEN7PMS3EDWL', 'BE', 'EUR', 'fr_BE', 'amazon.com.be'],
  ['A1805IZSGTT6HS', 'NL', 'EUR', 'nl_NL', 'amazon.nl'],
  ['A1PA6795UKMFR9', 'DE', 'EUR', 'de_DE', 'amazon.de'],
  ['APJ6JRA9NG5V4', 'IT', 'EUR', 'it_IT', 'amazon.it'],
  ['A2NODRKZP88ZB9', 'SE', 'SEK', 'sv_SE', 'amazon.se'],
  ['A1C3SOZRARQ6R3', 'PL', 'PLN', 'pl_PL', 'amazon.pl'],
  ['A28R8C7NBKEWEA', 'IE', 'EUR', 'en_IE', 'amazon.ie'],
  ['ARBP9OOSHTCHU', 'EG', 'EGP', 'ar_EG', 'amazon.eg'],
  ['A33AVAJ2PDY3EV', 'TR', 'TRY', 'tr_TR', 'amazon.com.tr'],
  ['A17E79C6D8DWNP', 'SA', 'SAR', 'ar_SA', 'amazon.sa'],
  ['A2VIGQ35RCS4UG', 'AE', 'AED', 'en_AE', 'amazon.ae'],
  ['A21TJRUUN4KGV', 'IN', 'INR', 'en_IN', 'amazon.in'],
  ['AE08WJ6YKNBMC', 'ZA', 'ZAR', 'en_ZA', 'amazon.co.za'],
  ['A19VAU5U5O7RUS', 'SG', 'SGD', 'en_SG', 'amazon.sg'],
  ['A39IBJ37TRP1C6', 'AU', 'AUD', 'en_AU', 'amazon.com.au'],
  ['A1VC38T7YXB528', 'JP', 'JPY', 'ja_JP', 'amazon.co.jp'],
] as const

/** The public marketplaces, with the ids that clients know. */
export const publicMarketplaces: readonly Marketplace[] = rows.map(
  ([marketplaceId, countryCode, currencyCode, languageCode, domain]) => ({
    marketplaceId,
    countryCode,
    currencyCode,
    languageCode,
    name: domain.replace('amazon', 'Amazon'),
    domainName: `www.${domain}`,
  }),
)
