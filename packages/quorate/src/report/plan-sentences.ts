import type { Estimate, LabelsOutlook, Milestone, Plan } from '@quorate/certificate'
import { countText, exactTexts, percentText } from './number-text.ts'

/** Whether this beta is reached and what follows, in a sentence or two: the first thing to read. */
export function planAnswer(plan: Plan): string {
  const { budget, feasible, atBeta } = plan
  if (feasible && atBeta !== null) {
    const { act, wrongActions } = atBeta
    return (
      `Yes: at ${betaName(budget.beta)}, ${plan.profile} is expected to act on ${rateText(act)} of questions, ` +
      `wrongly on ${rateText(wrongActions)} of all, and to hand the rest to a person. ${smallestText(plan)}`
    )
  }
  const no = `No: ${betaName(budget.beta)} is not reached. ${smallestText(plan)}`
  if (plan.otherSplit?.reaches) return `${no} ${otherSplitSentence(plan)}`
  const onTheWay = plan.milestones.find(({ labels }) => labels.kind === 'missing' && labels.missing > 0)
  const hasNumber = plan.labels.kind === 'missing' || onTheWay === undefined
  return [no, labelsSentence(plan), ...(hasNumber ? [] : milestoneText(onTheWay, plan.n))].join(' ')
}

/** What more labels would do at this beta. */
export function labelsSentence({ labels, n, budget, profile, floor }: Plan): string {
  const target = betaName(budget.beta)
  switch (labels.kind) {
    case 'enough':
      return `The ${countText(n)} labels are enough for ${target}.`
    case 'missing':
      return neededText(labels, n, target)
    case 'far':
      return `${capital(target)} would take more than ${countText(labels.moreThan)} labels, farther than this curve can see.`
    case 'too-few-labels':
      return (
        `${n === 1 ? 'One label is' : `${countText(n)} labels are`} too few to say how many are missing. At least ${countText(floor.labels ?? 0)} are ` +
        'needed by the arithmetic alone.'
      )
    case 'unreachable':
      return unreachableText(labels, { budget, profile, floor })
  }
}

/** What the arithmetic alone asks for. */
export function floorSentence({ floor, profile, budget }: Plan): string {
  if (!budget.feasible) return 'With this split of beta no number of labels is enough, not even for a perfect panel.'
  if (floor.alike === null) {
    return (
      `No number of labels is enough for ${profile}, not even for a perfect panel: a neighbourhood of at most ` +
      `${floor.largestNeighbourhood} labelled debates, all of them right, supports ${upText(floor.smallestBeta ?? 1)} at best.`
    )
  }
  const text =
    `Even a perfect panel needs at least ${countText(floor.alike)} labelled debates like each other, that is ` +
    `${countText(floor.labels ?? floor.alike)} labels with the pilot's share.`
  const { largestNeighbourhood: largest } = floor
  if (largest === null || floor.alike <= largest) return text
  return `${text} Neighbourhoods hold at most ${largest} unless states are equal.`
}

/** Always acting, the policy that a loose budget allows. */
export function finalRoundSentence({ finalRound, rounds, n, budget }: Plan): string {
  const { error, low, high, meetsBudget } = finalRound
  const rate =
    `Always acting on the answer of round ${rounds} is wrong on ${percentText(error)} % ` +
    `(${percentText(low)}–${percentText(high)}) of these ${countText(n)} questions`
  return meetsBudget
    ? `${rate}: it would meet this budget. Choose a smaller beta, or look at accuracy among the acted.`
    : `${rate}, which ${betaName(budget.beta)} does not allow.`
}

/** Another way to share beta out; null when none helps. */
export function otherSplitSentence({ otherSplit, budget }: Plan): string | null {
  if (otherSplit === null) return null
  const { delta, smallestBeta, reaches } = otherSplit
  const end = reaches ? `, so that ${betaName(budget.beta)} is within reach` : ''
  return (
    `With delta ${delta} instead of ${budget.delta} the smallest reachable beta is about ` +
    `${upText(smallestBeta.median)}${end}.`
  )
}

/** Labels for betas on the way, those that have a number. */
export function milestoneSentences({ milestones, n }: Plan): string[] {
  return milestones.flatMap((milestone) => milestoneText(milestone, n))
}

/** Three decimals, rounded up: what is printed is reached. */
export function upText(beta: number): string {
  return (Math.ceil(beta * 1000 - 1e-6) / 1000).toFixed(3)
}

export function betaName(beta: number): string {
  return `beta ${exactTexts([beta])[0]}`
}

function smallestText({ smallestBeta, calibration, seeds }: Plan): string {
  if (smallestBeta === null) return `No beta is, with certificates made from ${countText(calibration)} labels.`
  const range = `${smallestBeta.min.toFixed(3)}–${upText(smallestBeta.max)} over ${seeds.length} splits`
  return `The smallest reachable beta is about ${upText(smallestBeta.median)} (${range}).`
}

type Missing = Extract<LabelsOutlook, { kind: 'missing' }>

function milestoneText({ beta, delta, labels }: Milestone, n: number): string[] {
  return labels.kind === 'missing' ? [neededText(labels, n, `${betaName(beta)} with delta ${delta}`)] : []
}

function neededText({ needed, low, high, missing }: Missing, n: number, target: string): string {
  const most = high === null ? 'or more' : `to ${countText(twoDigits(high, Math.ceil))}`
  const shown = twoDigits(needed, Math.ceil)
  const inAll =
    `About ${countText(shown)} labels in all (${countText(twoDigits(low, Math.floor))} ${most}) would reach ` +
    `${target}: `
  return missing === 0
    ? `${inAll}the ${countText(n)} there are may do, but leave none to try it on.`
    : `${inAll}${countText(shown - n)} more than there are.`
}

/** An extrapolated count has two digits at most. */
function twoDigits(count: number, round: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return round(count / unit) * unit
}

function unreachableText(
  { reason, limit }: Extract<LabelsOutlook, { kind: 'unreachable' }>,
  { budget, profile, floor }: Pick<Plan, 'budget' | 'profile' | 'floor'>,
): string {
  if (reason === 'no-alpha') {
    const parts = budget.epsilon > 0 ? `delta ${budget.delta} and epsilon ${budget.epsilon}` : `delta ${budget.delta}`
    const left = budget.alpha > 0 ? `alpha ${exactTexts([budget.alpha])[0]} of it` : 'nothing of it for alpha'
    return (
      `No number of labels changes that: taking ${parts} away leaves ${left}, and nothing is certified at an alpha of ` +
      '0.001 or less.'
    )
  }
  if (reason === 'neighbourhoods') {
    return (
      `No number of labels changes that: ${profile} counts at most ${floor.largestNeighbourhood} neighbours, which ` +
      `supports ${upText(floor.smallestBeta ?? 1)} at best. Another profile may do.`
    )
  }
  const isSure = limit !== null && limit.low > budget.beta
  return (
    `By this curve ${isSure ? 'no' : 'probably no'} number of labels alone will reach it: it ends near ` +
    `${limitText(limit)}, since answers like the best of these are wrong too often. Improve the panel or raise beta.`
  )
}

function limitText(limit: Estimate | null): string {
  return limit === null ? 'no beta' : `${upText(limit.value)} (${limit.low.toFixed(3)}–${upText(limit.high)})`
}

function rateText({ mean, low, high }: { mean: number; low: number | null; high: number | null }): string {
  const interval = low === null || high === null ? '' : ` (${percentText(low)}–${percentText(high)})`
  return `${percentText(mean)} %${interval}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
