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

const bySuffix: Record<string, SubCondition> = {
  new: 'New',
  open_box: 'OpenBox',
  oem: 'OEM',
  refurbished: 'Refurbished',
  like_new: 'Mint',
  very_good: 'VeryGood',
  good: 'Good',
  acceptable: 'Acceptable',
  club: 'Club',
}

/** Splits `used_like_new` into Used and Mint. The operator's product types may have unknown conditions. */
export function splitCondition(conditionType: string): { condition: Condition; subCondition: SubCondition } {
  const [prefix = '', ...rest] = conditionType.split('_')
  const condition = CONDITIONS.find((condition) => condition.toLowerCase() === prefix) ?? 'Used'
  return { condition, subCondition: bySuffix[rest.join('_')] ?? 'Other' }
}
