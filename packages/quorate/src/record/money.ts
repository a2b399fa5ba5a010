/** One US dollar in micro-dollars, the unit of all stored amounts. */
export const MICRO_USD = 1_000_000
