import { CertificateError } from '../certificate-error.ts'
import { clopperPearsonInterval } from '../concentration/clopper-pearson.ts'

/** How far two raters agree beyond chance, over items that both rated. */
export interface Kappa {
  /** At most 1, which is full agreement. 0 is agreement by chance, and negative values are possible. */
  readonly kappa: number
  readonly lower: number
  readonly upper: number
  /** Items that both rated. */
  readonly items: number
  /** Items that both rated the same. */
  readonly agreed: number
  /** Expected share of items on which raters with these marginal rates agree by chance. */
  readonly byChance: number
}

/**
 * Cohen's kappa (1960), (observed - chance) / (1 - chance), of one pair of ratings per item. Null if there are no
 * items, or if both raters gave the same rating to all of them, so chance alone explains the agreement.
 *
 * The interval is the Clopper-Pearson interval of the observed agreement, with the chance agreement taken as measured.
 * It assumes that items are drawn independently. The usual interval, kappa plus or minus 1.96 standard errors of
 * Fleiss, Cohen and Everitt (1969), covered the truth in as few as 17 % of simulations with 20 items, where this one
 * covered it in at least 95 %. That holds for raters who agree at least as often as by chance. For raters who
 * systematically disagree, or whose marginal rates are opposite (one says yes in 95 % and the other in 6 %), it covered
 * the truth in 60 to 65 % with 10 items and in 65 to 88 % with 20, because the chance agreement varies too.
 */
export function cohenKappa(ratings: Iterable<readonly [string, string]>, confidence = 0.95): Kappa | null {
  if (!(confidence > 0 && confidence < 1))
    throw new CertificateError('cohenKappa', 'confidence', 'in (0, 1)', confidence)
  const habits = [new Map<string, number>(), new Map<string, number>()] as const
  let items = 0
  let agreed = 0
  for (const [one, other] of ratings) {
    items += 1
    if (one === other) agreed += 1
    habits[0].set(one, (habits[0].get(one) ?? 0) + 1)
    habits[1].set(other, (habits[1].get(other) ?? 0) + 1)
  }
  if (items === 0) return null
  let alike = 0
  for (const [rating, count] of habits[0]) alike += count * (habits[1].get(rating) ?? 0)
  // Integers, so that the comparison is exact.
  if (alike === items * items) return null
  const byChance = alike / (items * items)
  const beyond = (share: number) => (share - byChance) / (1 - byChance)
  const { lower, upper } = clopperPearsonInterval(agreed, items, confidence)
  return { kappa: beyond(agreed / items), lower: beyond(lower), upper: beyond(upper), items, agreed, byChance }
}
