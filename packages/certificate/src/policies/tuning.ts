import type { TunedPolicy } from './policy.ts'

/** What a budget makes of a policy, in numbers. */
export type Tuning = Omit<TunedPolicy, 'actsAt'>

/** Of a rule that promises nothing and compares nothing. */
export const UNTUNED: Tuning = Object.freeze({ delta: null, epsilon: null, threshold: null })
