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
