import type {
  Estimate,
  LabelsOutlook,
  Milestone,
  Plan,
  PlannedDial,
  SplitFailure,
  TotalPlan,
} from '@quorate/certificate'
import { countText, exactTexts, percentText } from '../text/number-text.ts'

/** Whether this beta is reached, and what follows from that. This is the first thing on the page. */
export function planAnswer(plan: Plan): string {
  const { feasible, atBeta } = plan
  if (feasible && atBeta !== null) {
    const { act, wrongActions } = atBeta
    const overSplits = ` over ${plan.seeds.length} splits`
    const idle = plan.seeds.length - plan.actingSplits
    const yes = idle === 0 ? 'Yes' : `Perhaps (${idle} of ${plan.seeds.length} splits act on next to nothing)`
    const expected =
      `${yes}: at ${dialsName(plan)}, ${plan.profile} is expected to act on ${rangeText(act, overSplits)} of ` +
      `questions, wrongly on ${rangeText(wrongActions)} of all, and to defer the rest to a person. ${smallestText(plan)}`
    return plan.total === null ? expected : `${expected} ${bindsSentence(plan.total)}`
  }
  const failed = plan.total?.failed[0]
  const why = failed === undefined ? '' : ` ${failureSentence(failed, plan)}`
  const no = `No: ${dialsName(plan)} is not reached.${why} ${smallestText(plan)}`
  if (plan.otherSplit?.reaches) return `${no} ${otherSplitSentence(plan)}`
  const onTheWay = plan.milestones.find(({ labels }) => labels.kind === 'missing' && labels.missing > 0)
  const hasNumber = plan.labels.kind === 'missing' || onTheWay === undefined
  return [no, labelsSentence(plan), ...(hasNumber ? [] : milestoneText(onTheWay, plan.n, plan.profile))].join(' ')
}

/** What more labels would do at this beta. */
export function labelsSentence(plan: Plan): string {
  const { labels, n, budget, floor } = plan
  const target = betaName(budget.beta)
  switch (labels.kind) {
    case 'enough':
      return `The ${countText(n)} labels are enough for ${target}.`
    case 'missing':
      return neededText(labels, n, target)
    case 'far':
      return `${capital(target)} would take more than ${countText(labels.moreThan)} labels, more than this curve can estimate.`
    case 'too-few-labels':
      return (
        `${n === 1 ? 'One label is' : `${countText(n)} labels are`} too few to say how many are missing. At least ${countText(floor.labels ?? 0)} are ` +
        'needed by the arithmetic alone.'
      )
    case 'score-changes':
      return scoreChangeText(labels.at, plan)
    case 'one-kind':
      return oneKindText(plan)
    case 'no-curve':
      return (
        `How many labels are missing cannot be said: fewer than three of the sizes tried reach any beta, too few to ` +
        'draw a curve through.'
      )
    case 'unreachable':
      return unreachableText(labels, plan)
  }
}

/** Which setting of `total` limits actions, and how much a looser setting would act on. */
export function bindsSentence({ binds, looser: { beta, floor } }: TotalPlan): string {
  const act = ({ act: { mean } }: PlannedDial) => `${percentText(mean)} %`
  const byBeta = `${betaName(beta.beta)} would act on ${act(beta)}`
  if (floor === null) {
    return binds === 'beta' ? `Beta binds: ${byBeta}.` : `Beta does not bind: ${byBeta}. There is no floor.`
  }
  const byFloor = `${floorName(floor.floor)} would act on ${act(floor)}`
  switch (binds) {
    case 'beta':
      return `Beta binds, not the floor: ${byBeta}, ${byFloor}.`
    case 'floor':
      return `The floor binds, not beta: ${byFloor}, ${byBeta}.`
    case 'both':
      return `Both settings bind: ${byBeta}, ${byFloor}.`
    case 'neither':
      return `Neither setting binds: ${byBeta}, ${byFloor}. More labels or a better panel would help.`
  }
}

/** Which test failed, in how many splits, and how many more labels it needs. */
export function failureSentence(failure: SplitFailure, { seeds, calibration, n }: Plan): string {
  const { largestKind, splits, rows, wrong, limit, labels } = failure
  const where = `In ${splits} of ${seeds.length} splits`
  const each = splits === 1 ? '' : ` (about ${countText(Math.round(rows / splits))} in each split)`
  const found =
    largestKind === null
      ? `${where} even the strictest policy fails the test of the total: wrong on ${shareText(wrong, rows)}${each}, which is not ` +
        `clearly below ${percentText(limit)} %.`
      : `${where} the class of "${largestKind}" fails the test of its floor: ${shareText(rows - wrong, rows)}${each} right, where ` +
        `${percentText(1 - limit)} % is needed.`
  const more =
    labels === null
      ? 'No number of labels would change that at this rate.'
      : labels.median > FARTHEST * n
        ? `Even ${FARTHEST} times these labels would not pass it at this rate.`
        : `About ${countText(twoDigits(labels.median, Math.ceil))} labels more than the ${countText(calibration)} of a half ` +
          'would pass it at this rate. The next attempt on the same labels is counted.'
  return `${found} ${more}`
}

/** Extrapolation stops at this multiple of the existing labels, since rates of a few rows are no evidence beyond it. */
const FARTHEST = 20

/** What more labels would gain, and what it costs to calibrate again with them after a first certificate. */
export function moreLabelsSentence({ total, n, atBeta }: Plan): string | null {
  if (total === null || atBeta === null) return null
  const { moreLabels, nextAttempt } = total
  const [later, first] = [percentText(nextAttempt.act.mean), percentText(atBeta.act.mean)]
  const acts = later === first ? `still act on ${first} %` : `act on ${later} % instead of ${first} %`
  const again = `As attempt ${nextAttempt.attempt} on the same labels, which is tested at a smaller delta, certificates ${acts}.`
  if (moreLabels === null) return again
  const { added } = moreLabels
  const [now, withMore] = [percentText(moreLabels.now), percentText(moreLabels.withMore)]
  const more = withMore === now ? 'would change that by less than 0.1 points' : `on about ${withMore} %`
  return `By the learning curve ${countText(n)} labels act on about ${now} %, ${countText(added)} more ${more}. ${again}`
}

/** The labels that the arithmetic alone requires. */
export function floorSentence({ floor, profile, budget }: Plan): string {
  if (!budget.feasible) return 'With this split of beta no number of labels is enough, not even for a perfect panel.'
  if (floor.alike === null) {
    return (
      `No number of labels is enough for ${profile}, not even for a perfect panel: a neighbourhood of at most ` +
      `${floor.largestNeighbourhood} labelled debates, all of them right, supports ${upText(floor.smallestBeta ?? 1)} at best.`
    )
  }
  if (floor.labels === null) return 'Even a perfect panel needs more than a trillion labels.'
  // `total` counts all debates together, whatever their kind.
  const which = profile === 'total' ? 'to count' : 'like each other'
  const text =
    `Even a perfect panel needs at least ${countText(floor.alike)} labelled debates ${which}, that is ` +
    `${countText(floor.labels)} labels with the pilot's share.`
  const { largestNeighbourhood: largest } = floor
  if (largest === null || floor.alike <= largest) return text
  return `${text} Neighbourhoods have at most ${largest} unless states are equal.`
}

/** The error of always acting, which a loose budget allows. */
export function finalRoundSentence({ finalRound, rounds, n, budget, promise, feasible }: Plan): string {
  const { error, low, high, meetsBudget } = finalRound
  const rate =
    `Always acting on the answer of round ${rounds} is wrong on ${percentText(error)} % ` +
    `(${percentText(low)}–${percentText(high)}) of these ${countText(n)} questions`
  if (!meetsBudget) return `${rate}, which ${betaName(budget.beta)} does not allow.`
  const hasFloor = promise !== null && promise.floor !== null
  const met = `${rate}: always acting would meet this budget${hasFloor ? ', but it promises no floor' : ''}.`
  if (!feasible) return met
  return `${met} Choose a smaller beta${hasFloor ? '' : ', or look at accuracy among the acted'}.`
}

/** Another division of beta into its parts. Null if none helps. */
export function otherSplitSentence({ otherSplit, budget }: Plan): string | null {
  if (otherSplit === null) return null
  const { delta, smallestBeta, reaches } = otherSplit
  const end = reaches ? `, so that ${betaName(budget.beta)} is within reach` : ''
  return (
    `With delta ${delta} instead of ${budget.delta} the smallest reachable beta is about ` +
    `${betaText(smallestBeta.beta)}${end}: only for labels not used here, since a delta chosen by labels is not promised ` +
    'for them.'
  )
}

/** The labels needed for betas between the declared one and the smallest reachable one, if they can be estimated. */
export function milestoneSentences({ milestones, n, profile }: Plan): string[] {
  return milestones.flatMap((milestone) => milestoneText(milestone, n, profile))
}

/** A computed beta, rounded up to three decimals. */
export function upText(beta: number): string {
  return (Math.ceil(beta * 1000 - 1e-6) / 1000).toFixed(3)
}

/** A beta that was tried, with all its digits, because a rounded one may not be reachable. */
export function betaText(beta: number): string {
  const [text = ''] = exactTexts([beta])
  return Number(text) === beta ? text : String(beta)
}

export function betaName(beta: number): string {
  return `beta ${exactTexts([beta])[0]}`
}

export function floorName(floor: number | null): string {
  return floor === null ? 'no floor' : `floor ${exactTexts([floor])[0]}`
}

/** Beta, and for `total` the floor beside it. */
function dialsName({ budget, total }: Plan): string {
  return total === null ? betaName(budget.beta) : `${betaName(budget.beta)} and ${floorName(total.promise.floor)}`
}

function shareText(part: number, rows: number): string {
  return `${countText(part)} of ${countText(rows)}`
}

function smallestText({ smallestBeta, calibration, seeds, total }: Plan): string {
  if (smallestBeta === null) {
    const floor = total === null || total.isFloorUsual ? '' : `${floorName(total.promise.floor)} and `
    return `No beta is, with ${floor}certificates made from ${countText(calibration)} labels.`
  }
  const { beta, min, max } = smallestBeta
  const range = `${betaText(min)}–${betaText(max)} over ${seeds.length} splits alone`
  const floor =
    total === null ? '' : total.isFloorUsual ? ', with its usual floor' : `, with ${floorName(total.promise.floor)}`
  return `The smallest reachable beta is about ${betaText(beta)}${floor} (${range}).`
}

function milestoneText({ beta, delta, labels }: Milestone, n: number, profile: Plan['profile']): string[] {
  const target = profile === 'total' ? betaName(beta) : `${betaName(beta)} with delta ${delta}`
  return labels.kind === 'missing' ? [neededText(labels, n, target)] : []
}

function neededText(
  { needed, low, high, least, missing }: Extract<LabelsOutlook, { kind: 'missing' }>,
  n: number,
  target: string,
): string {
  const from = countText(Math.max(least, twoDigits(low, Math.floor)))
  const most = high === null ? 'or more' : `to ${countText(twoDigits(high, Math.ceil))}`
  const shown = twoDigits(needed, Math.ceil)
  const inAll =
    `About ${countText(shown)} labels in all (${from} ${most}, range over resampled halves of this file; another file ` +
    `of this size may fall outside) would reach ${target}: `
  return missing === 0
    ? `${inAll}the ${countText(n)} that exist may be enough, but leave none for a test.`
    : `${inAll}${countText(shown - n)} more than exist.`
}

/** Rounds an extrapolated count to two significant digits. */
function twoDigits(count: number, round: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return round(count / unit) * unit
}

function unreachableText(
  { reason, limit }: Extract<LabelsOutlook, { kind: 'unreachable' }>,
  { budget, profile, floor }: Plan,
): string {
  if (reason === 'no-alpha') {
    const parts = budget.epsilon > 0 ? `delta ${budget.delta} and epsilon ${budget.epsilon}` : `delta ${budget.delta}`
    const left = budget.alpha > 0 ? `alpha ${exactTexts([budget.alpha])[0]} of it` : 'nothing of it for alpha'
    return (
      `At beta ${budget.beta} no number of labels helps: taking ${parts} away leaves ${left}, and nothing is certified at an alpha of ` +
      '0.001 or less.'
    )
  }
  if (reason === 'neighbourhoods') {
    return (
      `At beta ${budget.beta} no number of labels helps: ${profile} counts at most ${floor.largestNeighbourhood} neighbours, which ` +
      `supports ${upText(floor.smallestBeta ?? 1)} at best. Another profile may work.`
    )
  }
  const end = limit === null ? 'no beta' : `${upText(limit.value)} (${limitRange(limit)})`
  return (
    `By this curve probably no number of labels alone will reach it: it ends near ${end}. Improve the panel or raise ` +
    'beta.'
  )
}

/** The range of a value that was extrapolated from a curve. */
export function limitRange({ low, high }: Estimate): string {
  return high === null ? `${low.toFixed(3)} or more` : `${low.toFixed(3)}–${upText(high)}`
}

/** Explains why the missing labels are not estimated: from `at` labels on, calibration learns another kind of score. */
function scoreChangeText(at: number, { calibration }: Plan): string {
  const change = `from ${countText(at)} labels on, the score distinguishes agents`
  return calibration < at
    ? `The number of missing labels is not known: ${change}, so the curve may change there, and certificates here are ` +
        `made from ${countText(calibration)}.`
    : `The number of missing labels is not known: ${change}, and too few sizes beyond that reach any beta to draw a ` +
        'curve through.'
}

function oneKindText({ profile, finalRound }: Plan): string {
  const { error } = finalRound
  const kind = error < 0.5 ? 'right' : 'wrong'
  const other = error < 0.5 ? 'wrong' : 'right'
  const needs =
    profile === 'cells' || profile === 'total' ? 'to learn a score' : 'to learn how fast answers change with the state'
  return (
    `The pilot debates are all answered ${kind}: ${profile === 'cells' ? 'cells need' : `${profile} needs`} some ${other} answers among ` +
    `them ${needs}.`
  )
}

/** A rate with its range over single splits, because calibration sets vary more than the debates of one test half. */
function rangeText({ mean, min, max }: { mean: number; min: number; max: number }, over = ''): string {
  return `${percentText(mean)} % (${percentText(min)}–${percentText(max)}${over})`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
