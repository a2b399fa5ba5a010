import {
  ACTIONS_TO_JUDGE,
  type Budget,
  budgetSentences,
  type Evaluation,
  firstOfOurs,
  type LocalOptions,
  OUR_POLICIES,
  promiseLevels,
  type ResolvedBudget,
  resolveProfileBudget,
  resolvePromise,
  type TotalPromise,
  usualBudget,
} from '@quorate/certificate'
import { budgetLine, promiseLine } from '../text/budget-line.ts'
import { type FileReading, type LeftOut, leftOutText, onQuestions, readingSentences } from '../text/left-out.ts'
import { localOptionsText } from '../text/local-options.ts'
import { countText, percentText } from '../text/number-text.ts'
import { marginText, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { hangingText, wrapText } from '../text/wrap-text.ts'
import {
  effortTable,
  groupTable,
  kindTable,
  labelTable,
  matchedTable,
  promiseTable,
  rateTable,
  roundTable,
  shiftGroupTable,
  shiftTable,
  spreadSentence,
} from './evaluation-table.ts'

export interface EvaluatedPage {
  /** The program name to type before another command, and the flags with the same meaning there. */
  readonly program: string
  readonly sameFlags: string
  /** Name of the file, as the user typed it. */
  readonly path: string
  readonly evaluation: Evaluation
  readonly leftOut: LeftOut
  readonly reading: FileReading
  readonly budget: Budget
  /** Options of the policies with neighbourhoods that differ from their defaults. */
  readonly local?: LocalOptions
  /** Whether certificates decided each question from the rows of its own group. */
  readonly groupConditional: boolean
  /** Policies whose threshold was the loosest of the paper's grid, and in how many splits. */
  readonly gridEnds: readonly { readonly name: string; readonly splits: number }[]
}

/** The whole page of `quorate evaluate`. */
export function evaluationPage(page: EvaluatedPage, frame: PageFrame): string {
  const { evaluation } = page
  const sections = [
    headLines(page, frame),
    budgetLines(page, frame),
    operatingLines(page, frame),
    roundLines(evaluation, frame),
    kindLines(evaluation, frame),
    groupLines(evaluation, frame),
    labelLines(evaluation, frame),
    shiftLines(evaluation, frame),
    matchedLines(evaluation, frame),
    evaluation.skipped.flatMap(({ name, reason }) => marginText('Skipped', `${name}: ${plainText(reason)}`, frame)),
    nextLines(page, frame),
  ]
  return `${sections
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function headLines({ path, evaluation, leftOut, reading }: EvaluatedPage, frame: PageFrame): string[] {
  const { n, rounds, seeds } = evaluation
  const roundsText = rounds === 1 ? '1 round' : `${rounds} rounds`
  const left = leftOutText(leftOut) ?? 'none without a label'
  const splits =
    `${seeds.length === 1 ? '1 random split' : `${seeds.length} random splits`} in halves by question, ` +
    `${seeds.length === 1 ? 'seed' : 'seeds'} ${seeds.join(', ')}: policies are fitted on one half and tested on the other`
  return [
    `${frame.style.strong('quorate evaluate')} ${plainText(path)}`,
    ...marginText('Debates', `${countText(n)} labelled${onQuestions(n, reading)}, ${roundsText}; ${left}`, frame),
    ...readingSentences(reading).flatMap((sentence) => marginText('Reading', sentence, frame)),
    ...marginText('Splits', splits, frame),
  ]
}

function budgetLines(
  { budget: declared, evaluation, groupConditional, local = {} }: EvaluatedPage,
  frame: PageFrame,
): string[] {
  const { policies, rounds } = evaluation
  const under = (profile: 'cells' | 'tight' | 'paper') =>
    resolveProfileBudget('evaluate', declared, profile, rounds, local)
  const [cells, tight, paper] = [under('cells'), under('tight'), under('paper')]
  const [claim = '', ...more] = budgetSentences({ kind: 'knn', budget: paper, groupConditional })
  const listed = (...names: readonly string[]) =>
    names.filter((name) => policies.some((policy) => policy.name === name))
  const ofCells = listed('cells')
  const ofTight = listed('tight')
  const ofPaper = listed('paper', 'knn-no-envelope', 'final-round')
  const promise = totalPromise(declared)
  const ofTotal = listed('total')
  const total = ofTotal.length === 0 ? [] : [`For total: ${totalClaim(promise, groupConditional)}`]
  const budgets = [
    ...(ofTotal.length === 0 ? [] : [`total: ${promiseLine(promise)}`]),
    ...(ofCells.length === 0 ? [] : [`cells: ${budgetLine(cells)}`]),
    ...(ofTight.length === 0 ? [] : [`tight: ${budgetLine(tight)}`]),
    ...(ofPaper.length === 0 ? [] : [`${ofPaper.join(', ')}: ${budgetLine(paper)}`]),
  ]
  const promises = listed('cells', 'tight', 'paper')
  const averaged = promises.length === 0 ? [] : [`For ${promises.join(', ')}: ${claim}`]
  const byGroup = groupConditional ? [...ofTotal, ...ofCells, ...ofTight, ...ofPaper] : []
  return [
    ...budgets.flatMap((text, place) => marginText(place === 0 ? 'Budget' : '', text, frame)),
    ...(Object.keys(local).length === 0
      ? []
      : marginText('Options', `${[...ofTight, ...ofPaper].join(', ')}: ${localOptionsText(local)}`, frame)),
    ...(byGroup.length === 0 ? [] : marginText('Groups', `${byGroup.join(', ')}: ${BY_GROUP}`, frame)),
    ...infeasible(ofCells, cells, frame),
    ...infeasible(ofTight, tight, frame),
    ...infeasible(ofPaper, paper, frame),
    ...[...total, ...averaged].flatMap((text, place) => marginText(place === 0 ? 'Claim' : '', text, frame)),
    ...(listed('tight', 'paper').length === 0 ? [] : marginText('', `For tight and paper: ${more.join(' ')}`, frame)),
  ]
}

function totalPromise({ beta, total }: Budget): TotalPromise {
  return resolvePromise('evaluate', { beta, ...total })
}

/** What every `total` certificate of these splits promises. The page of a single certificate adds its classes and counts. */
function totalClaim(promise: TotalPromise, groupConditional: boolean): string {
  const claimant = { kind: 'total', promise, levels: promiseLevels(promise), outcomes: null } as const
  return budgetSentences({ ...claimant, groupConditional, deferredGroups: [] }).join(' ')
}

const BY_GROUP = 'decided within each group; the other policies pool groups'

function infeasible(names: readonly string[], budget: ResolvedBudget, frame: PageFrame): string[] {
  if (names.length === 0 || budget.feasible) return []
  const { beta, delta, epsilon, alpha } = budget
  const parts = epsilon === 0 ? `delta ${delta}` : `delta ${delta} and epsilon ${epsilon}`
  const text =
    `beta ${beta} with ${parts} leaves alpha ${alpha}, and nothing can be certified at 0.001 or less: ` +
    `${names.join(', ')} ${names.length === 1 ? 'defers' : 'defer'} everything (budget-infeasible). ${remedy(beta)}`
  return marginText('Note', frame.style.defer(text), frame)
}

function remedy(beta: number): string {
  const { delta, epsilon } = usualBudget(beta)
  if (!resolveProfileBudget('evaluate', { beta, delta, epsilon }, 'paper', 1).feasible)
    return 'Only a larger beta leaves room.'
  return `Smaller parts leave room, for example --delta ${delta} --epsilon ${epsilon}.`
}

const MEANINGS =
  'Acc|Act: right among those acted on. Wrong actions: acted on and wrong, of all debates. In brackets: 95 % ' +
  'Clopper-Pearson interval of one test half, for the policy as it was fitted. Splits overlap, so together they are no ' +
  'larger sample.'
const EFFORT =
  'Used: wrong actions / beta, mean and worst split. Rounds: mean number, a deferral counts as all. Stop: mean round of ' +
  'the actions. Calls: mean answers asked of agents. within, over: the whole interval of wrong actions lies there. ' +
  'unclear: it contains beta. no evidence: never acted. The oracle knows the answers, so it is a limit and no rule.'

function promiseNotes({ floor }: Evaluation): string[] {
  return [
    'Promise, made before any of these debates was seen, about wrong actions. total: at most beta of all questions. ' +
      'classes: at least the floor right in every class acted on. states: every state or cell acted on is right as often ' +
      'as its threshold says. sure: with confidence, for this very policy. average: over calibration sets, so that one ' +
      'policy may be above. none: a policy that is within may be lucky.',
    `Kinds below: a kind is a round, how far the panel agreed, and whether its answer ever changed. Of the kinds with ` +
      `${ACTIONS_TO_JUDGE} actions a test half or more, those whose 99 % upper limit of the share right lies below a common ` +
      `floor of ${percentText(floor)} %.`,
  ]
}

function operatingLines({ evaluation, gridEnds, budget }: EvaluatedPage, { style, width }: PageFrame): string[] {
  const { policies, beta, seeds } = evaluation
  if (policies.length === 0) return []
  const marked = gridEnds.filter(({ name }) => policies.some((policy) => policy.name === name))
  const names = marked.map(({ name }) => name)
  const faint = (notes: readonly string[]) => notes.flatMap((note) => wrapText(note, width)).map(style.faint)
  return [
    style.strong(`Operating point at beta ${beta}`),
    ...rateTable(policies, style),
    ...faint([MEANINGS, ...fitSpread(policies, seeds.length)]),
    '',
    ...promiseTable(policies, totalPromise(budget), style),
    ...faint(promiseNotes(evaluation)),
    '',
    ...effortTable(evaluation, names, style),
    ...faint([EFFORT, ...unusedNote(policies), ...gridNote(marked, seeds.length)]),
  ]
}

/** The intervals of a fitted policy do not show how much the fit depends on the training half. */
function fitSpread(policies: Evaluation['policies'], splits: number): string[] {
  const ours = policies.filter(({ name, act }) => OUR_POLICIES.some((own) => own === name) && act.max > 0)
  if (ours.length === 0 || splits === 1) return []
  return [`How much the fit itself varies, min–max over splits. ${ours.map(spreadSentence).join(' ')}`]
}

/** Explains why a certificate leaves part of its budget unused. */
function unusedNote(policies: Evaluation['policies']): string[] {
  const first = firstOfOurs(policies.filter(({ act }) => act.max > 0))
  if (first === undefined || first.threshold === null || first.budgetUsed.mean > 0.5) return []
  const needed = `${(100 * first.threshold).toFixed(1)} %`
  const reason =
    first.name === 'total'
      ? `a class of debates is acted on only where it is surely right in ${needed} of cases, and the total must surely be within beta.`
      : `each cell or state that it acts on must reach its threshold of ${needed}, not only all of them together.`
  return [`${first.name} leaves budget unused because ${reason}`]
}

function gridNote(ends: EvaluatedPage['gridEnds'], splits: number): string[] {
  if (ends.length === 0) return []
  const counted = ends.map((end) => `${end.name} in ${end.splits} of ${splits}`).join(', ')
  return [`*: threshold at the end of the paper's grid, .5 (splits: ${counted}).`]
}

function roundLines({ policies, seeds }: Evaluation, { style, width }: PageFrame): string[] {
  const acting = policies.filter(({ name, act }) => OUR_POLICIES.some((ours) => ours === name) && act.max > 0)
  if (acting.length === 0) return []
  const splits = seeds.length === 1 ? 'in the split' : `summed over the ${seeds.length} splits`
  const note = `Acted: ${splits}. Threshold: what the bound must reach. Brackets: as above, of one split.`
  return [style.strong('By stopping round'), ...roundTable(acting, style), ...wrapText(note, width).map(style.faint)]
}

/** Every certificate that acted, kind by kind. */
function kindLines({ policies, seeds, floor }: Evaluation, { style, width }: PageFrame): string[] {
  const acting = policies.filter(({ name, act }) => OUR_POLICIES.some((ours) => ours === name) && act.max > 0)
  if (acting.length === 0) return []
  const splits = seeds.length === 1 ? 'in the split' : `summed over the ${seeds.length} splits`
  const note =
    `Changed: an earlier round settled another answer. Acted: ${splits}. Brackets: as above, of one split. below: clearly ` +
    `under the common floor of ${percentText(floor)} %.`
  return [
    ...acting.flatMap((policy) => [style.strong(`By kind of debate, ${policy.name}`), ...kindTable(policy, style)]),
    ...wrapText(note, width).map(style.faint),
  ]
}

function groupLines({ policies }: Evaluation, frame: PageFrame): string[] {
  const first = firstOfOurs(policies.filter(({ act }) => act.max > 0))
  if (first === undefined || first.perGroup.length === 0) return []
  return [frame.style.strong(`By group, ${first.name}`), ...groupTable(first, frame)]
}

/** Rates by label are informative only if a label means the same in every question. Single letters do not. */
function labelLines({ policies }: Evaluation, frame: PageFrame): string[] {
  const first = firstOfOurs(policies.filter(({ act }) => act.max > 0))
  const labels = [...(first?.perAnswer ?? []), ...(first?.perTruth ?? [])]
  const isSet =
    labels.some(({ label }) => label.length > 1) && new Set(labels.map(({ label }) => label)).size <= MOST_LABELS
  if (first === undefined || !isSet) return []
  const note =
    'Rates are of the debates of their row, acted on or not. Accuracy is of those acted on. The promise is about a predicted ' +
    'label only where the budget names it, and never about a true label. n is a mean over test halves.'
  return [
    frame.style.strong(`By predicted and by true label, ${first.name}`),
    ...labelTable(first.perAnswer, 'Predicted', frame),
    ...(first.perTruth.length === 0 ? [] : labelTable(first.perTruth, 'True', frame)),
    ...wrapText(note, frame.width).map(frame.style.faint),
  ]
}

const MOST_LABELS = 40

/** Results in groups for which a policy had no labels. */
function shiftLines({ shift, beta }: Evaluation, frame: PageFrame): string[] {
  const [first] = shift?.policies ?? []
  if (shift === null || first === undefined) return []
  const { style, width } = frame
  const halved = shift.isHalved
    ? ' Groups share questions, so one half of the questions was fitted on, the other decided.'
    : ''
  const note =
    `Each group is decided by policies that were fitted on the other groups. Over: more than beta ${beta} of the group acted on and ` +
    `wrong. The 95 % interval is in brackets.${halved} A certificate says nothing about groups you did not calibrate on. Label ` +
    'questions of every group, or let new groups go to a person.'
  return [
    style.strong('Groups that were not calibrated on'),
    ...shiftTable(shift, style),
    '',
    style.strong(`By group left out, ${first.name}`),
    ...shiftGroupTable(first.groups, frame),
    ...wrapText(note, width).map(style.faint),
  ]
}

/** Two policies with a larger relative difference in calls do not count as compute-matched. */
const NEAR = 0.25

function matchedLines({ policies, computeMatched }: Evaluation, { style, width }: PageFrame): string[] {
  const first = firstOfOurs(policies)
  if (first === undefined || computeMatched.length === 0) return []
  const title = `Without a bound, at the round cap whose calls are nearest to ${first.name} (${first.calls.mean.toFixed(1)})`
  const isFar = (calls: number) => Math.abs(calls - first.calls.mean) > NEAR * first.calls.mean
  const notes = computeMatched
    .filter(({ calls }) => isFar(calls.mean))
    .map(({ name, calls }) => {
      const rule = name.replace('-final', '')
      return `${rule}: no cap comes within 25 % of these calls. The nearest has ${calls.mean.toFixed(1)}.`
    })
  return [
    style.strong(title),
    ...matchedTable(computeMatched, style),
    ...notes.flatMap((note) => wrapText(note, width)).map(style.faint),
  ]
}

function nextLines({ program, path, sameFlags }: EvaluatedPage, { style, width }: PageFrame): string[] {
  const step = (command: string, text: string) => [
    `  ${program} ${command} ${plainText(path)} ${plainText(sameFlags)}`,
    ...hangingText('      ', text, width),
  ]
  return [
    style.strong('Next'),
    ...step('audit', 'which assumptions these debates contradict'),
    ...step('plan', 'smallest reachable beta, labels missing'),
    ...step('report', 'a page with figures'),
  ]
}
