export const CONDITION_TYPES = [
  'new_new',
  'new_open_box',
  'new_oem',
  'refurbished_refurbished',
  'used_like_new',
  'used_very_good',
  'used_good',
  'used_acceptable',
  'collectible_like_new',
  'collectible_very_good',
  'collectible_good',
  'collectible_acceptable',
  'club_club',
] as const
export type ConditionType = (typeof CONDITION_TYPES)[number]

export const CONDITIONS = ['New', 'Used', 'Collectible', 'Refurbished', 'Club'] as const
export type Condition = (typeof CONDITIONS)[number]

export const SUB_CONDITIONS = [
  'New',
  'Mint',
  'VeryGood',
  'Good',
  'Acceptable',
  'Poor',
  'Club',
  'OEM',
  'Warranty',
  'RefurbishedWarranty',
  'Refurbished',
  'OpenBox',
  'Other',
] as const
export type SubCondition = (typeof SUB_CONDITIONS)[number]

const byPrefix = new Map<string, Condition>(CONDITIONS.map((condition) => [condition.toLowerCase(), condition]))

const bySuffix = new Map<string, SubCondition>([
  ['new', 'New'],
  ['open_box', 'OpenBox'],
  ['oem', 'OEM'],
  ['refurbished', 'Refurbished'],
  ['like_new', 'Mint'],
  ['very_good', 'VeryGood'],
  ['good', 'Good'],
  ['acceptable', 'Acceptable'],
  ['club', 'Club'],
])

/** Splits `used_like_new` into Used and Mint. The operator's product types may have unknown conditions. */
export function splitCondition(conditionType: string): { condition: Condition; subCondition: SubCondition } {
  const [prefix = '', suffix = ''] = splitOnce(conditionType)
  return { condition: byPrefix.get(prefix) ?? 'Used', subCondition: bySuffix.get(suffix) ?? 'Other' }
}

function splitOnce(conditionType: string): string[] {
  const end = conditionType.indexOf('_')
  return end < 0 ? [conditionType] : [conditionType.slice(0, end), conditionType.slice(end + 1)]
}
