/** In the currency's unit. Minor units of such prices, and their sums, stay exact in a number. */
export const MAX_PRICE = 1_000_000_000
export const MAX_QUANTITY = 10_000_000
