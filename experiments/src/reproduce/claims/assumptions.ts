import { decimal } from '../../tables/markdown.ts'
import { TWIN_NAMES, type TwinName } from '../../twins/targets.ts'
import { meanOf } from '../measure/outcome.ts'
import { ACTIVATED } from '../paper/activated.ts'
import { meanTerms } from '../tables/decomposition.ts'
import { gapOf, smoothnessOf } from '../tables/diagnostics.ts'
import type { TwinMeasurements } from '../tasks.ts'
import { aboutTwins, type Claim, type Finding, finding, listed } from './claim.ts'

const untestable = (sentence: string) => (): Finding => ({ verdict: 'not testable on a twin', sentence })

/** Claims about the assumptions and the terms of the bound, and those that no twin can test. */
export const ASSUMPTION_CLAIMS: readonly Claim[] = [
  {
    claim: 'None of the falsification checks fires on the four activated benchmarks.',
    place: 'Table 11, Representation-gap stress tests',
    test: aboutTwins(ACTIVATED, (twins, titles) =>
      finding(
        ACTIVATED.every((name) => twins[name].audit.verdict !== 'falsified'),
        `Checks of quorate audit on the paper's profile: ${listed(titles, (name) => auditWords(twins[name]))}.`,
      ),
    ),
  },
  {
    claim: 'The modulus grows gradually, from .15 to .45, and covers 100 % of held-out pairs.',
    place: 'Table 12',
    reason: 'Held-out debates at states that no pilot row has can differ by more than any pair of pilot rows did.',
    test: aboutTwins(['mmlu-pro'], ({ 'mmlu-pro': twin }) => {
      const bins = smoothnessOf(twin)
      const isCovered = bins.every(({ coverage }) => (coverage ?? 1) >= 0.9995)
      const numbers = (values: readonly (number | null)[]) =>
        values.map((value) => (value === null ? '–' : decimal(value, 3)))
      return finding(
        bins.length > 0 && isCovered,
        `Modulus ${numbers(bins.map(({ modulus }) => modulus)).join(', ')}; coverage ${numbers(bins.map(({ coverage }) => coverage)).join(', ')}.`,
      )
    }),
  },
  {
    claim: 'The proxy of the representation gap is effectively zero where acted on, at most .021.',
    place: 'Table 13',
    test: aboutTwins(['mmlu-pro'], ({ 'mmlu-pro': twin }) => {
      const [mean, largest] = [gapOf(twin, 'acted', 'mean'), gapOf(twin, 'acted', 'largest')]
      if (mean === null || largest === null) {
        return {
          verdict: 'not testable on a twin',
          sentence: `The audited half acts on nothing at beta .15; over all debates the largest gap is ${decimal(gapOf(twin, 'all', 'largest') ?? 0, 3)}.`,
        }
      }
      return finding(
        mean <= 0.002 && largest <= 0.03,
        `Mean ${decimal(mean, 3)}, largest ${decimal(largest, 3)} (holds: at most .002 and .030).`,
      )
    }),
  },
  {
    claim:
      'Neighbourhoods acted on are nearly pure: median label entropy .14-.27 nats; on MuSR above .55 where deferred.',
    place: 'k-NN heterogeneity check',
    reason: 'LogiQA acts here under a larger budget than in the paper (see Table 1), at less pure states.',
    test: aboutTwins(TWIN_NAMES, (twins, titles) => {
      const acted = (name: TwinName) => meanEntropy(twins[name], 'acted')
      const deferred = meanEntropy(twins.musr, 'deferred')
      return finding(
        ACTIVATED.every((name) => (acted(name) ?? 1) <= 0.275) && (deferred ?? 0) > 0.55,
        `Acted on: ${listed(titles, (name) => (acted(name) === null ? '–' : decimal(acted(name)!)))}; MuSR where deferred: ${deferred === null ? '–' : decimal(deferred)}.`,
      )
    }),
  },
  {
    claim: 'GPQA and MuSR defer because the empirical mean is low and the Hoeffding slack is large.',
    place: 'Table 23',
    test: aboutTwins(['gpqa', 'musr', 'mmlu-pro'], (twins) => {
      const terms = { gpqa: meanTerms(twins.gpqa), musr: meanTerms(twins.musr), large: meanTerms(twins['mmlu-pro']) }
      const words = (found: typeof terms.gpqa) =>
        found
          ? `mean ${decimal(found.mean)}, envelope ${decimal(found.envelope)}, slack ${decimal(found.slack)}`
          : 'too few labels'
      return finding(
        [terms.gpqa, terms.musr].every(
          (found) => found && terms.large && found.mean < terms.large.mean && found.slack > terms.large.slack,
        ),
        `GPQA: ${words(terms.gpqa)}; MuSR: ${words(terms.musr)}; MMLU-Pro: ${words(terms.large)}.`,
      )
    }),
  },
  {
    claim:
      'Consensus acts on 93.6 % of LogiQA, p1 >= .9 on 33.3 %, the oracle on 78.6 %; final-round errors are .24, .16, .05, .08, .34, .28.',
    place: 'Table 1',
    test: untestable('The twins are fitted to these numbers: that they come out says nothing.'),
  },
  {
    claim: 'Three heterogeneous language models debate for four rounds as the protocol says.',
    place: 'Appendix Reproducibility details',
    test: untestable('No debate of the paper is public; a twin is a latent model of beliefs, not of language models.'),
  },
  {
    claim: 'The slack shrinks like n^(-1/(2 + D)).',
    place: 'Corollary Adaptive certification rate',
    test: untestable('The family of k is fixed at 128, 256 and 512; the rate is about families that grow with n.'),
  },
  {
    claim: 'If an assumption fails, the guarantee degrades by the probability of the failure.',
    place: 'Proposition Cost of assumption failure',
    test: untestable(
      'As defined, the assumption holds or fails for a distribution: its probability of failing is 0 or 1.',
    ),
  },
]

function auditWords({ audit }: TwinMeasurements): string {
  const falsified = audit.checks.filter(({ verdict }) => verdict === 'falsified').map(({ name }) => name)
  return `${audit.verdict}${falsified.length === 0 ? '' : ` (${falsified.join(', ')})`}`
}

function meanEntropy({ splits }: TwinMeasurements, where: 'acted' | 'deferred'): number | null {
  const found = splits.flatMap(({ entropy }) => entropy[where] ?? [])
  return found.length === 0 ? null : meanOf(found)
}
