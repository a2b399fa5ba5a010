import {
  type CurvePoint,
  type LocalOptions,
  type Plan,
  type PlannedDial,
  type TotalPlan,
  usualBudget,
  usualFloor,
} from '@quorate/certificate'
import { budgetLine, declaredSentences, promiseLine } from '../text/budget-line.ts'
import { type FileReading, type LeftOut, leftOutText, onQuestions, readingSentences } from '../text/left-out.ts'
import { localOptionsText } from '../text/local-options.ts'
import { countText, percentText } from '../text/number-text.ts'
import { marginText, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { LINE } from '../text/style.ts'
import { type Alignment, tableLines } from '../text/table.ts'
import { padEndColumns, textColumns } from '../text/text-columns.ts'
import { hangingText, wrapText } from '../text/wrap-text.ts'
import { BLOCKS } from './bound-bar.ts'
import {
  betaName,
  betaText,
  bindsSentence,
  failureSentence,
  finalRoundSentence,
  floorName,
  floorSentence,
  labelsSentence,
  limitRange,
  milestoneSentences,
  moreLabelsSentence,
  otherSplitSentence,
  planAnswer,
  upText,
} from './plan-sentences.ts'

export interface PlanPage extends PageFrame {
  /** The program name to type before another command. */
  readonly program: string
  /** Name of the file, as the user typed it. */
  readonly path: string
  readonly leftOut: LeftOut
  readonly reading: FileReading
  /** Options of the profiles `tight` and `paper` that differ from their defaults. */
  readonly local?: LocalOptions
}

/** The whole page of `quorate plan`: the answer, the budget, the operating point, the learning curve, and the next steps. */
export function planLines(plan: Plan, page: PlanPage): string[] {
  const { style, width } = page
  const title = (text: string) => style.strong(text)
  const marginLines = (word: string, text: string) => marginText(word, text, page)
  const { promise } = plan
  return [
    ...wrapText(planAnswer(plan), width),
    '',
    ...marginLines('Budget', `${plan.profile}: ${promise === null ? budgetLine(plan.budget) : promiseLine(promise)}`),
    ...(Object.keys(page.local ?? {}).length === 0 ? [] : marginLines('Options', localOptionsText(page.local ?? {}))),
    ...marginLines('Source', sourceText(plan, page)),
    '',
    ...operatingLines(plan, page, title),
    ...(plan.total === null ? [] : dialLines(plan.total, page, title)),
    title(`Smallest reachable beta by labels calibrated on (${LINE} ${betaName(plan.budget.beta)})`),
    ...curveLines(plan, page),
    '',
    ...failureLines(plan, marginLines),
    ...marginLines('Labels', [labelsSentence(plan), doublingText(plan)].join(' ').trim()),
    ...[moreLabelsSentence(plan) ?? []].flat().flatMap((text) => marginLines('', text)),
    ...milestoneSentences(plan).flatMap((text) => marginLines('', text)),
    ...[otherSplitSentence(plan) ?? []].flat().flatMap((text) => marginLines('Split', text)),
    ...marginLines('Least', floorSentence(plan)),
    ...marginLines('Always', finalRoundSentence(plan)),
    ...marginLines('Caution', cautionText(plan)),
    ...declaredSentences({ ...plan, promise }).flatMap((text, index) => marginLines(index === 0 ? 'Claim' : '', text)),
    '',
    title('Next'),
    ...nextLines(plan, page),
  ]
}

function sourceText({ n, seeds, calibration, heldOut }: Plan, { leftOut, reading }: PlanPage): string {
  const sentences = [leftOutText(leftOut) ?? [], ...readingSentences(reading)].flat().join('; ')
  const left = sentences === '' ? '' : ` (${sentences})`
  return (
    `estimates from ${countText(n)} labelled debates${onQuestions(n, reading)}${left} in ${seeds.length} random splits: certificates made from ` +
    `${countText(calibration)}, tried on ${countText(heldOut)} others. In use all ${countText(n)} would be calibrated on. A beta is reached where at ` +
    'least half of the splits act on 1 % or more.'
  )
}

const ALIGNMENTS: readonly Alignment[] = ['left', 'right', 'right']

function operatingLines(
  { atBeta, budget, seeds }: Plan,
  { style, width }: PlanPage,
  title: (text: string) => string,
): string[] {
  if (atBeta === null) return []
  if (atBeta.act.max === 0) return [...wrapText(silentText(atBeta), width), '']
  const row = (name: string, figure: typeof atBeta.act | null, text: (value: number) => string) =>
    figure === null ? [name, 'none', ''] : [name, text(figure.mean), `${text(figure.min)}–${text(figure.max)}`]
  const plain = (value: number) => value.toFixed(2)
  const [header = '', ...rows] = tableLines(
    [
      ['', 'mean', `range over ${seeds.length} splits`],
      row('acted on, % of questions', atBeta.act, percentText),
      row('right among those, %', atBeta.accuracy, percentText),
      row('wrong actions, % of questions', atBeta.wrongActions, percentText),
      row('rounds a question', atBeta.roundsUsed, plain),
      row('calls a question', atBeta.calls, plain),
    ],
    ALIGNMENTS,
  )
  return [title(`Expected at ${betaName(budget.beta)}`), style.faint(header), ...rows, '']
}

/** The share acted on along each setting while the other is fixed, and which of the two limits it. */
function dialLines(plan: TotalPlan, { style, width }: PlanPage, title: (text: string) => string): string[] {
  const { promise, byBeta, byFloor } = plan
  const table = (name: string, points: readonly PlannedDial[], dial: (point: PlannedDial) => string) => {
    const rows = points.map((point) => [
      isDeclared(point, promise) ? `${LINE} ${dial(point)}` : dial(point),
      percentText(point.act.mean),
      `${percentText(point.act.min)}–${percentText(point.act.max)}`,
      percentText(point.wrongActions.mean),
    ])
    const [header = '', ...lines] = tableLines(
      [[name, 'Act %', 'range', 'wrong actions %'], ...rows],
      ['right', 'right', 'right', 'right'],
    )
    return [style.faint(header), ...lines, '']
  }
  return [
    title(`Act by beta, at ${floorName(promise.floor)} (${LINE} declared)`),
    ...table('beta', byBeta, ({ beta }) => betaText(beta)),
    ...(byFloor.length === 0
      ? []
      : [
          title(`Act by floor, at ${betaName(promise.beta)} (${LINE} declared)`),
          ...table('floor', byFloor, ({ floor }) => (floor === null ? 'none' : betaText(floor))),
        ]),
    ...wrapText(`${bindsSentence(plan)} ${FURTHER_ATTEMPT}`, width),
    '',
  ]
}

const FURTHER_ATTEMPT =
  'These figures are from held-out halves of your labels: a beta or a floor chosen by looking at them is a further ' +
  'attempt on the same labels.'

function isDeclared({ beta, floor }: PlannedDial, promise: TotalPlan['promise']): boolean {
  return beta === promise.beta && floor === promise.floor
}

const MOST_FAILURES = 4

/** The tests that failed in some split, with the labels that they still need. */
function failureLines(plan: Plan, marginLines: (word: string, text: string) => string[]): string[] {
  const failed = plan.total?.failed ?? []
  const more = failed.length - MOST_FAILURES
  return [
    ...failed
      .slice(0, MOST_FAILURES)
      .flatMap((one, at) => marginLines(at === 0 ? 'Failed' : '', failureSentence(one, plan))),
    ...(more > 0 ? marginLines('', `and ${more} more: see --json`) : []),
  ]
}

function silentText({ roundsUsed, calls }: NonNullable<Plan['atBeta']>): string {
  return (
    'At this beta no split acts on anything: every question goes to a person after ' +
    `${roundsUsed.mean.toFixed(0)} rounds and ${calls.mean.toFixed(1)} calls.`
  )
}

const BAR_COLUMNS = 24

function curveLines(plan: Plan, { style }: PlanPage): string[] {
  const { curve, budget, n, smallestBetaOfAll } = plan
  if (curve.length === 0) return ['too few labels to draw it']
  const most = Math.max(budget.beta, ...curve.map(({ smallestBeta }) => smallestBeta?.beta ?? 0))
  const bar = (beta: number) => style.faint(betaBar(beta, budget.beta, most))
  const rows = curve.map(({ labels, smallestBeta, act }: CurvePoint) => [
    countText(labels),
    smallestBeta === null ? 'none' : betaText(smallestBeta.beta),
    smallestBeta === null ? '' : `${betaText(smallestBeta.min)}–${betaText(smallestBeta.max)}`,
    act === null ? '-' : percentText(act.median),
    smallestBeta === null ? '' : bar(smallestBeta.beta),
  ])
  const all = smallestBetaOfAll && [
    `${countText(n)}*`,
    upText(smallestBetaOfAll.value),
    limitRange(smallestBetaOfAll),
    '',
    bar(smallestBetaOfAll.value),
  ]
  const header = ['labels', 'beta', 'range', 'Act % at beta', '']
  const [top = '', ...lines] = tableLines(
    [header, ...rows, ...(all ? [all] : [])],
    ['right', 'right', 'right', 'right', 'left'],
  )
  const note = '* read off the fitted curve a + b / sqrt(labels), not tried (10–90 % of refits)'
  const notes = [...(all ? [note] : []), ...scoreChangeNote(plan)]
  return [style.faint(top), ...lines, ...notes.map((text) => style.faint(text))]
}

/** Warns if the calibration sizes, or all labels, lie on both sides of the change of score. */
function scoreChangeNote({ curve, n, scoreChangesAt: at }: Plan): string[] {
  const isCrossed = at !== null && n >= at && (curve[0]?.labels ?? 0) < at
  return isCrossed ? [`from ${countText(at)} labels on, the score distinguishes agents: the curve may change`] : []
}

/** A beta as a bar, with a line at the declared beta. The bar crosses the line only if its beta is larger. */
function betaBar(beta: number, line: number, most: number): string {
  const lineAt = Math.min(BAR_COLUMNS - 1, Math.round((line / most) * (BAR_COLUMNS - 1)))
  const length = Math.round((beta / most) * BAR_COLUMNS)
  const reach = beta > line ? Math.max(length, lineAt + 2) : Math.min(length, lineAt)
  return Array.from({ length: BAR_COLUMNS + 1 }, (_, at) =>
    at === lineAt ? LINE : at < reach ? BLOCKS.bound : BLOCKS.beyond,
  ).join('')
}

/** What the last doubling of the labels gained. Empty if this beta is not reached. */
function doublingText({ labels }: Plan): string {
  if (labels.kind !== 'enough' || labels.lastDoubling === null) return ''
  const { from, to, act } = labels.lastDoubling
  const points = (value: number) => `${value < 0 ? '' : '+'}${percentText(value)}`
  const text =
    `Twice the labels, ${countText(from)} to ${countText(to)}, changed the share acted on by ` +
    `${points(act.median)} points (${points(act.min)} to ${points(act.max)} over splits)`
  if (act.min > 0) return `${text}: more may bring more.`
  return act.max > 0 ? `${text}: too varied to tell.` : `${text}: no gain seen.`
}

function cautionText({ profile, total }: Plan): string {
  if (profile === 'total') {
    const attempt = (total?.promise.attempt ?? 1) + 1
    return (
      'a plan looks at labels. Declare beta and floor first. Where this page made you choose others, calibrate with ' +
      `--attempt ${attempt}, or on labels that were not used here.`
    )
  }
  return profile === 'cells'
    ? 'a plan looks at labels. Cells follow the threshold, so a beta or delta picked from this page is promised exactly ' +
        'only for labels that were not used to pick it: calibrate on new ones, or rely on spot checks.'
    : 'the bounds do not depend on beta, so choosing it here is harmless. Choosing delta is not. The slack of ' +
        'neighbourhoods shrinks with labels only up to the largest of them, the envelope more slowly than the curve assumes.'
}

/** The outlooks in which more labels help or may help. */
const MORE_LABELS_HELP: readonly Plan['labels']['kind'][] = [
  'missing',
  'score-changes',
  'too-few-labels',
  'one-kind',
  'no-curve',
]

/** Flags for a beta. The plan's delta and epsilon are added if they differ from the defaults for that beta. */
function betaFlags(beta: number, { budget: { delta, epsilon }, total }: Plan): string {
  if (total !== null) return promiseFlags(beta, total)
  const usual = usualBudget(beta)
  const parts = [
    ...(usual.delta === delta ? [] : [`--delta ${delta}`]),
    ...(usual.epsilon === epsilon || epsilon === 0 ? [] : [`--epsilon ${epsilon}`]),
  ]
  return [`--beta ${betaText(beta)}`, ...parts].join(' ')
}

function promiseFlags(beta: number, { promise: { kind, delta, floor }, isFloorUsual }: TotalPlan): string {
  const parts = [
    ...(isFloorUsual || floor === usualFloor(beta) ? [] : [`--floor ${floor ?? 'none'}`]),
    ...(kind === 'pac' ? [] : [`--promise ${kind}`]),
    ...(delta === usualBudget(beta, 'total').delta ? [] : [`--delta ${delta}`]),
  ]
  return [`--beta ${betaText(beta)}`, ...parts].join(' ')
}

function nextLines(plan: Plan, { program, path, width }: PlanPage): string[] {
  const name = plainText(path)
  const { feasible, smallestBeta, otherSplit, budget } = plan
  const steps = feasible
    ? [[`${program} evaluate ${name} ${betaFlags(budget.beta, plan)}`, 'beside every other policy']]
    : [
        ...(smallestBeta === null ? [] : [[betaFlags(smallestBeta.beta, plan), 'the smallest these labels reach']]),
        ...(otherSplit?.reaches
          ? [[`--delta ${otherSplit.delta}`, 'another split of the same beta, only for labels not used here']]
          : []),
        ...(MORE_LABELS_HELP.includes(plan.labels.kind)
          ? [['more labels', 'drawn at random from the same questions']]
          : []),
        ...(plan.finalRound.error === 0
          ? []
          : [['a better panel', 'stronger or more varied agents, or another round']]),
      ]
  const widest = Math.max(...steps.map(([command = '']) => textColumns(command)))
  return steps.flatMap(([command = '', text = '']) => {
    // A long command leaves no room for text beside it.
    if (widest > width / 2) return [`  ${command}`, ...hangingText('      ', text, width)]
    return hangingText(`  ${padEndColumns(command, widest)}  `, text, width)
  })
}
