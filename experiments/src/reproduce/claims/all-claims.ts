import { ASSUMPTION_CLAIMS } from './assumptions.ts'
import { AUTOMATION_CLAIMS } from './automation.ts'
import type { Claim } from './claim.ts'
import { DESIGN_CLAIMS } from './design.ts'
import { MULTIPLIER_CLAIMS } from './multipliers.ts'
import { RULE_CLAIMS } from './rules.ts'
import { SAFETY_CLAIMS } from './safety.ts'

/** The paper's claims about its numbers, by subject. */
export const CLAIMS: readonly { readonly subject: string; readonly claims: readonly Claim[] }[] = [
  { subject: 'The budget is kept', claims: SAFETY_CLAIMS },
  { subject: 'How much is acted on', claims: AUTOMATION_CLAIMS },
  { subject: 'Against other rules', claims: RULE_CLAIMS },
  { subject: 'Choices of the method', claims: DESIGN_CLAIMS },
  { subject: 'The multiplier', claims: MULTIPLIER_CLAIMS },
  { subject: 'Assumptions, and what no twin can test', claims: ASSUMPTION_CLAIMS },
]
