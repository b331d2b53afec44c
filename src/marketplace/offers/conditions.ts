/** The conditions in which a product can be offered. */
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

/** What buyers tell apart first. */
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

/** The condition of `used_like_new` as pricing has it: Used, Mint. A product type of the operator's may have others. */
export function splitCondition(conditionType: string): { condition: Condition; subCondition: SubCondition } {
  const [prefix = '', ...rest] = conditionType.split('_')
  const condition = CONDITIONS.find((one) => one.toLowerCase() === prefix) ?? 'Used'
  return { condition, subCondition: bySuffix[rest.join('_')] ?? 'Other' }
}
