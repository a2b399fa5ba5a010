import { markdownTable } from '../../tables/markdown.ts'
import { TWIN_NAMES } from '../../twins/targets.ts'
import type { BoundTerms } from '../measure/bound-terms.ts'
import { meanOf } from '../measure/outcome.ts'
import { DECOMPOSITION } from '../paper/decomposition.ts'
import type { MeasuredSplits } from '../tasks.ts'
import { compareDecimal } from './compare.ts'
import { measuredTwins, type Table } from './table.ts'

export const decompositionTable: Table = {
  number: 23,
  name: 'decomposition',
  title: 'Terms of the bound at the last round (medians)',
  text(measured) {
    const rows = measuredTwins(measured, TWIN_NAMES).map(({ name, title, twin }) => {
      const printed = DECOMPOSITION[name]
      const terms = meanTerms(twin)
      const thresholds = twin.splits.flatMap(({ threshold }) => threshold ?? [])
      const threshold = thresholds.length === 0 ? null : meanOf(thresholds)
      return [
        title,
        compareDecimal(printed.mean, terms?.mean),
        compareDecimal(printed.envelope, terms?.envelope),
        compareDecimal(printed.slack, terms?.slack),
        compareDecimal(printed.lower, terms?.lower),
        compareDecimal(printed.threshold, threshold),
        `${printed.blocking} / ${blockingOf(terms, threshold)}`,
      ]
    })
    return `Two columns of the paper's table cannot come from its own settings: with k at most 512 the slack is at least .076, where it prints .05
and .06; and the budgets of its Table 1 put the threshold at 1 - alpha = .67 for MMLU-Pro, .72 for BBH, .74 for LogiQA, .28 for GPQA and
.29 for MuSR, where it prints .88, .88, .84, .81 and .81.

${markdownTable(['twin', 'mean', 'envelope', 'slack', 'L', '1 - alpha', 'blocking: paper / ours'], rows)}`
  },
}

/** Means over splits of the medians; null if there are too few labels. */
export function meanTerms({ splits }: MeasuredSplits): BoundTerms | null {
  const found = splits.flatMap(({ terms }) => terms ?? [])
  if (found.length === 0) return null
  const mean = (term: keyof BoundTerms) => meanOf(found.map((terms) => terms[term]))
  return { mean: mean('mean'), envelope: mean('envelope'), slack: mean('slack'), lower: mean('lower') }
}

function blockingOf(terms: BoundTerms | null, threshold: number | null): string {
  if (terms === null) return 'too few labels'
  if (threshold === null) return 'no budget'
  if (terms.lower >= threshold) return '(crosses)'
  return terms.mean < threshold ? 'the mean itself' : 'envelope and slack'
}
