import { decimal, percent, signed } from '../../tables/markdown.ts'
import { meanOf } from '../measure/outcome.ts'
import { SPLIT_DELTAS, SPLIT_EPSILONS } from '../paper/budget-split.ts'
import { STRESSED_TWINS } from '../paper/envelope-stress.ts'
import { EPSILONS, TWO_TWINS, type TwoTwins } from '../paper/epsilon-sensitivity.ts'
import { STATE_NAMES } from '../paper/state-dimension.ts'
import { sizeName, statePoint, variantPoint } from '../tables/ablations.ts'
import { doublingCost } from '../tables/audits.ts'
import { absolutePoint } from '../tables/fixed-budgets.ts'
import { sharesPoint } from '../tables/sensitivity.ts'
import { pointIn } from '../tables/table.ts'
import { aboutTwins, type Claim, finding, isWithin, listed } from './claim.ts'
import { CROWDED } from './reasons.ts'

const percents = (shares: readonly number[]) => shares.map((share) => percent(share)).join(' ')
const isFalling = (values: readonly number[]) => values.every((value, at) => at === 0 || value <= values[at - 1]!)

/** Claims about single choices of the method, at beta = .15. */
export const DESIGN_CLAIMS: readonly Claim[] = [
  {
    claim: 'Doubling the modulus costs 1-3 points of Act on active data, with accuracy and WA unchanged.',
    place: 'Tables 4 and 11',
    reason: CROWDED,
    test: aboutTwins(['mmlu-pro', 'bbh'], (twins, titles) => {
      const cost = (name: TwoTwins) => doublingCost(twins[name], 'fixed')
      return finding(
        TWO_TWINS.every((name) => isWithin(cost(name), -3.5, -0.5)),
        `Points of Act at beta .15: ${listed(titles, (name) => signed(cost(name) ?? 0))}.`,
      )
    }),
  },
  {
    claim: 'The modulus estimate sits well above the true variation, since inflating it changes little.',
    place: 'Section Audit summary, Appendix Envelope stress test',
    test: aboutTwins(STRESSED_TWINS, (twins, titles) => {
      const wrong = (name: (typeof STRESSED_TWINS)[number]) =>
        [absolutePoint(twins[name], 0.15), variantPoint(twins[name], 'rho 2')].map((point) => point?.wrong.mean ?? 0)
      return {
        verdict: 'not testable on a twin',
        sentence: `That inflation changes little says that the envelope is small where the rule acts, not that it is large enough: an envelope of 0 would not change at all. WA % at x 1 and x 2: ${listed(titles, (name) => percents(wrong(name)))}.`,
      }
    }),
  },
  {
    claim: 'Fixed k = 128 never certifies, k = 512 acts as often as the whole family or more (33.2 and 29.8 %).',
    place: 'Table 9, Adaptive vs. fixed k',
    test: aboutTwins(['mmlu-pro'], ({ 'mmlu-pro': twin }) => {
      const act = (k: number) => variantPoint(twin, sizeName(k))?.act.mean ?? 0
      const family = absolutePoint(twin, 0.15).act.mean
      return finding(
        act(128) < 0.01 && act(512) >= family,
        `Act % at k = 128, 256, 512 and the family: ${percents([act(128), act(256), act(512), family])}.`,
      )
    }),
  },
  {
    claim: 'A quarter of the neighbour rows collapses Act (26.8 to 0.1 %), and the median radius grows.',
    place: 'Table 9, Calibration size sensitivity',
    test: aboutTwins(['mmlu-pro'], ({ 'mmlu-pro': twin }) => {
      const act = [0, 1, 2].map((at) => pointIn(twin, ({ calibrationSizes }) => calibrationSizes[at]?.cell).act.mean)
      const radius = [0, 1, 2].map((at) =>
        meanOf(twin.splits.map(({ calibrationSizes }) => calibrationSizes[at]!.radius)),
      )
      return finding(
        act[0]! < 0.05 && act[2]! > act[0]! && isFalling(radius),
        `Act % at a quarter, half and all rows: ${percents(act)}; median radius ${radius.map((value) => decimal(value, 3)).join(', ')}.`,
      )
    }),
  },
  {
    claim: 'Automation falls with every dimension of the state; WA stays safe.',
    place: 'Table 16',
    reason: CROWDED,
    test: aboutTwins(TWO_TWINS, (twins, titles) => {
      const acts = (name: TwoTwins) => STATE_NAMES.map((state) => statePoint(twins[name], state)?.act.mean ?? 0)
      return finding(
        TWO_TWINS.every((name) => isFalling(acts(name)) && acts(name)[3]! < acts(name)[0]!),
        `Act % at D = 1, 2, 3, 4: ${listed(titles, (name) => percents(acts(name)))}.`,
      )
    }),
  },
  {
    claim: 'A larger epsilon lowers Act, to nothing at .05.',
    place: 'Table 14',
    test: aboutTwins(TWO_TWINS, (twins, titles) => {
      const acts = (name: TwoTwins) => EPSILONS.map((epsilon) => sharesPoint(twins[name], 0.03, epsilon).act.mean)
      return finding(
        TWO_TWINS.every((name) => isFalling(acts(name)) && acts(name).at(-1)! < 0.01),
        `Act % at epsilon 0, .01, .02, .03, .05: ${listed(titles, (name) => percents(acts(name)))}.`,
      )
    }),
  },
  {
    claim: 'A smaller delta makes the certificate more conservative and reduces Act.',
    place: 'Appendix Budget-split sensitivity',
    reason:
      'The paper’s own Table 15 says the opposite (MMLU-Pro: 44.0 % at delta .01, 31.3 % at .05): at a fixed beta what delta gives up goes to alpha, which moves the threshold by more than the slack grows.',
    test: aboutTwins(TWO_TWINS, (twins, titles) => {
      const acts = (name: TwoTwins) => SPLIT_DELTAS.map((delta) => sharesPoint(twins[name], delta, 0).act.mean)
      return finding(
        TWO_TWINS.every((name) => acts(name)[0]! < acts(name)[2]!),
        `Act % at delta .01, .03, .05 and epsilon 0: ${listed(titles, (name) => percents(acts(name)))}.`,
      )
    }),
  },
  {
    claim: 'WA / beta is well below 1 for every split of the budget.',
    place: 'Table 15',
    test: aboutTwins(TWO_TWINS, (twins, titles) => {
      const worst = (name: TwoTwins) =>
        Math.max(
          ...SPLIT_DELTAS.flatMap((delta) =>
            SPLIT_EPSILONS.map((epsilon) => sharesPoint(twins[name], delta, epsilon).budgetUsed.max),
          ),
        )
      return finding(
        TWO_TWINS.every((name) => worst(name) < 0.5),
        `Worst split of any cell: ${listed(titles, (name) => decimal(worst(name)))}.`,
      )
    }),
  },
  {
    claim: 'The GAM acts more than isotonic regression (29.8 and 21.8 %).',
    place: 'Table 3',
    reason: CROWDED,
    test: aboutTwins(['mmlu-pro'], ({ 'mmlu-pro': twin }) => {
      const gam = absolutePoint(twin, 0.15).act.mean
      const isotonic = variantPoint(twin, 'isotonic')?.act.mean ?? 0
      return finding(gam > isotonic, `Act %: GAM ${percent(gam)}, isotonic ${percent(isotonic)}.`)
    }),
  },
  {
    claim: 'The gain of an empirical Bernstein bound over Hoeffding is modest.',
    place: 'Remark Bernstein refinement',
    reason:
      'At a mean of .99 and k = 512 its slack is .047 where that of Hoeffding is .076: near the threshold that is the difference between acting on a crowded state and not.',
    test: aboutTwins(TWO_TWINS, (twins, titles) => {
      const gain = (name: TwoTwins) =>
        100 *
        ((variantPoint(twins[name], 'empirical-bernstein')?.act.mean ?? 0) - absolutePoint(twins[name], 0.15).act.mean)
      return finding(
        TWO_TWINS.every((name) => gain(name) <= 5),
        `Points of Act at beta .15: ${listed(titles, (name) => signed(gain(name)))} (holds: at most 5).`,
      )
    }),
  },
]
