import { join } from 'node:path'
import { type Audit, budgetSentences, type Certificate, silenceSentences } from '@quorate/certificate'
import { debatePlay } from '../report/debate-play.ts'
import { operatingTable, type PolicyResult, rateText } from '../report/operating-table.ts'
import { budgetUsedText } from '../report/total-lines.ts'
import type { Calibration } from '../run/calibration/calibrate-run.ts'
import { countOf, countText, percentText } from '../text/number-text.ts'
import { heading, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { MARKS } from '../text/style.ts'
import { tableLines } from '../text/table.ts'
import { hangingText, wrapText } from '../text/wrap-text.ts'
import { type ChosenPlay, choosePlays } from './choose-plays.ts'
import { actedWrongly, type DemoDecision } from './decided.ts'
import { DEMO_FILES, type DemoFile } from './demo-folder.ts'
import type { DemoReview } from './demo-review.ts'

/**
 * Everything that the demo prints. It fits a terminal of 100 by 60: the result first, one decided question, the promise,
 * the checks, other rules, and the next steps. The report and the app have the rest.
 */

/** A word in the margin with its text beside it. */
export function aside(word: string, text: string, { width }: PageFrame): string[] {
  return hangingText(word.padEnd(MARGIN_COLUMNS), text, width)
}

const MARGIN_COLUMNS = 11

/** `replaced` names the removed files of an earlier demo. Null if there were none. */
export function openingLines(seed: number, replaced: string | null, page: PageFrame): string[] {
  return [
    `${heading('quorate demo', page)}, seed ${seed}`,
    'simulated panel, no model is called, nothing leaves this machine',
    ...(replaced === null ? [] : aside('Folder', replaced, page)),
  ]
}

/** How the labels were used. */
export function calibratedLines(
  { certified: { certificate } }: Calibration,
  replies: number,
  page: PageFrame,
): string[] {
  const { pilot, neighbours } = certificate.split
  const labels = `${countText(replies)} replies stored. ${countText(pilot.length)} debates shape the certificate, ${countText(neighbours.length)} are counted`
  return aside('Calibrate', labels, page)
}

export interface DemoOutcome {
  readonly decided: readonly DemoDecision[]
  readonly certificate: Certificate
  /** Calls needed for the decisions. */
  readonly calls: number
}

/** The headline: the share acted on, the share acted on wrongly, and the budget for it. */
export function resultLines({ decided, certificate, calls }: DemoOutcome, page: PageFrame): string[] {
  const { length } = decided
  const acted = decided.filter(({ decision }) => decision.kind === 'act').length
  const wrong = decided.filter(actedWrongly).length
  const budget = percentText(certificate.budget.beta)
  const headline = `acted on ${rateText(acted, length)} %, wrong on ${rateText(wrong, length)} %, budget ${budget} %`
  return [
    ...aside('Result', headline, page).map(page.style.strong),
    ...aside(
      '',
      `${countText(acted)} questions answered by the panel, ${countText(length - acted)} deferred to a person; ` +
        `${countText(calls)} calls, as spot checks are debated to the last round; ${budgetUsedText(wrong, length, certificate.budget.beta)} used${floorText(certificate)}. ` +
        `Rates are of all ${countText(length)} questions, with 95 % intervals.`,
      page,
    ),
  ]
}

function floorText(certificate: Certificate): string {
  const floor = certificate.kind === 'total' ? certificate.promise.floor : null
  return floor === null ? '' : `, floor ${percentText(floor)} % right in every class`
}

/** Shows one question, preferably one where the panel changed its answer and was acted on. */
export function playLines(certificate: Certificate, decided: readonly DemoDecision[], page: PageFrame): string[] {
  const [first, second, third] = choosePlays(decided)
  const chosen = [second, first, third].find((play) => play?.found !== undefined)
  if (chosen?.found === undefined) return []
  const { debate, decision } = chosen.found
  const play = { ...debate, decision, threshold: certificate.threshold, comparison: certificate.kind }
  return [heading(playTitle(chosen, debate.group), page), ...debatePlay(play, page)]
}

function playTitle({ title }: ChosenPlay, group: string): string {
  return `One of these questions (${group}): the panel ${title}`
}

/** The promise. If nothing can be acted on, it includes the reasons. */
export function promiseLines(certificate: Certificate, page: PageFrame): string[] {
  const silence = certificate.kind === 'total' && !certificate.canAct() ? silenceSentences(certificate) : []
  return aside('Promise', [...budgetSentences(certificate), ...silence].join(' '), page)
}

/** Compares the panel's policy with other rules on the same new questions. */
export function comparisonLines(points: readonly PolicyResult[], beta: number, page: PageFrame): string[] {
  const [ours] = points
  const legend =
    `Wrong actions, by the 95 % interval: ${MARKS.act} within beta, ${MARKS.wrong} over it, ${MARKS.defer} unclear. ` +
    'Acc|Act: right among those acted on. Rnd: rounds until the decision. learn-then-test promises the total, but nothing by ' +
    'class. The rules below it promise nothing.'
  return [
    heading(`quorate (${ours?.name ?? ''}) and other rules on the same questions, beta ${beta}`, page),
    ...operatingTable(points, beta, page.style),
    ...wrapText(legend, page.width).map(page.style.faint),
  ]
}

/** What the spot checks found, and whether the policy stays live. */
export function reviewLines({ monitor, labelled, deferrals, left, reviewer }: DemoReview, page: PageFrame): string[] {
  const { policy, spotChecks, queue } = monitor
  const { sampled, wrong } = spotChecks
  const realised =
    wrong === null
      ? ''
      : `: wrong on ${wrong.count} of ${countText(wrong.of)}, ${rateText(wrong.count, wrong.of)} %${unlabelledText(wrong.of - labelled)}`
  const check =
    `${countText(sampled)} questions were sampled for a spot check. A simulated reviewer, "${reviewer}", labelled ` +
    `${countText(labelled)} of them${realised}. It also answered ${countOf(deferrals, 'other deferral')}. ` +
    `${countText(queue.waiting - left)} deferrals and ${left} spot checks wait for you.`
  return [...aside('Check', check, page), ...aside('Policy', policyText(policy), page)]
}

/** A spot check that was deferred counts before it is labelled, because it was not acted on. */
function unlabelledText(count: number): string {
  return count <= 0
    ? ''
    : `, ${countText(count)} of which ${count === 1 ? 'needs' : 'need'} no label to count, being deferred`
}

function policyText(policy: DemoReview['monitor']['policy']): string {
  if (policy.state !== 'suspended') return 'live: the monitors found nothing against it'
  return (
    `suspended. Reason: ${policy.reason ?? ''} From here on everything goes to a person, until an admin ` +
    'releases the policy with a note.'
  )
}

export interface DemoAudit {
  readonly found: Audit
  readonly ours: PolicyResult
  readonly beta: number
  readonly shift: boolean
  /** Whether the monitors suspended the policy before the audit. */
  readonly isSuspended: boolean
}

/** Whether the new questions contradict the assumptions of the certificate. */
export function auditLines(audited: DemoAudit, page: PageFrame): string[] {
  const { found, shift } = audited
  const falsified = found.checks.filter(({ verdict }) => verdict === 'falsified')
  if (falsified.length > 0) {
    const names = falsified.map(({ name }) => name).join(', ')
    return aside('Audit', `falsified: ${names}. ${consequence(audited)}`, page).map(page.style.wrong)
  }
  const none = `${found.checks.length} checks of labelled and new questions contradict no assumption, which proves nothing.`
  const missed = 'The mix of questions did change, and these checks did not find it.'
  return aside('Audit', shift ? `${none} ${missed}` : none, page)
}

function consequence({ ours: { name, wrong, questions }, beta, isSuspended }: DemoAudit): string {
  const policy = isSuspended
    ? 'The monitors suspended the policy before the audit.'
    : 'The monitors have not seen enough to suspend the policy: suspend it by hand, on the first page of the app.'
  return (
    `The promise is void for these questions: they are not like those calibrated on. Here ${name} acted wrongly on ` +
    `${countText(wrong)} of ${countText(questions)}, ${rateText(wrong, questions)} %, where beta allows ` +
    `${percentText(beta)} %. ${policy} A certificate from questions like these would help.`
  )
}

/** Commands to type in the folder where the demo was started. */
export interface DemoCommands {
  /** Runs the demo again. */
  readonly demo: string
  /** The part before the name of any other command. */
  readonly quorate: string
  /** A path as it is typed in a shell. */
  readonly typed: (path: string) => string
}

export interface Closing {
  readonly folder: string
  readonly files: readonly DemoFile[]
  readonly beta: number
  readonly shift: boolean
  /** The number of decisions that were recomputed from the bundle. `head` is the last hash of its chain. */
  readonly decisions: number
  readonly head: string
  readonly commands: DemoCommands
}

export function closingLines(closing: Closing, page: PageFrame): string[] {
  const { folder, files, commands } = closing
  const { quorate, demo } = commands
  const report = files.includes('report')
    ? `${DEMO_FILES.report.name} has every figure and caveat`
    : `there is no ${DEMO_FILES.report.name}: at this beta nothing can be acted on`
  const left = `${plainText(folder)}: ${report}, ${DEMO_FILES.readme.name} all files and commands`
  const other: readonly [string, string] = closing.shift
    ? [demo.replace(/ --$/, ''), 'new questions of the usual mix']
    : [`${demo} --shift`, 'new questions of another mix']
  const steps: readonly (readonly [string, string])[] = [
    [`${quorate} serve --config ${fileIn(closing, 'config')} --open`, 'the app on all of this'],
    other,
    [`${quorate} init my-panel`, 'a config for your own questions'],
  ]
  return [...aside('Left in', left, page), heading('Next', page), ...steps.flatMap((step) => stepLines(step, page))]
}

/** A command is never wrapped, so that it can be copied. Its description is beside it if there is room, otherwise below. */
function stepLines([command, text]: readonly [string, string], { width, style }: PageFrame): string[] {
  const line = `  ${command}`
  const isRoomy = line.length + 2 + text.length <= width
  return isRoomy ? [`${line}  ${style.faint(text)}`] : [line, style.faint(`      ${text}`)]
}

/** The README of the folder, with every file and every command. */
export function readmeLines(closing: Closing, page: PageFrame): string[] {
  const files = closing.files.map((file) => [DEMO_FILES[file].name, DEMO_FILES[file].about])
  const next = furtherSteps(closing).flatMap(([command, text]) => [
    ...command.split('\n').map((line) => `  ${line}`),
    ...hangingText('      ', text, page.width),
  ])
  return ['', ...tableLines(files, ['left', 'left']).map((line) => `  ${line}`), '', 'Next', ...next]
}

/** A command may have several lines. */
function furtherSteps(closing: Closing): (readonly [command: string, text: string])[] {
  const { files, beta, decisions, head, commands } = closing
  const { quorate, demo } = commands
  const debates = `${fileIn(closing, 'debates')} --beta ${beta}`
  const hasReport = files.includes('report')
  return [
    [
      `${quorate} serve --config ${fileIn(closing, 'config')} --open`,
      'the app on all of this, at the address that it prints. --port N chooses another',
    ],
    // A head is too long to fit on the line of its command.
    [
      `${quorate} verify ${fileIn(closing, 'bundle')} --head \\\n  ${head}`,
      `the bundle is unchanged, and every decision comes out again, as ${countText(decisions)} did. Note the head elsewhere`,
    ],
    [`${quorate} evaluate ${debates}`, 'every rule on random halves of these debates'],
    hasReport
      ? [`${quorate} audit ${debates}`, 'every check in full, with what to do about it']
      : [`${quorate} plan ${debates}`, 'what these labels can reach, and how many are missing'],
    beta === 0.001
      ? [`${demo} --beta 0.2`, 'a budget that leaves room']
      : [`${demo} --beta 0.001`, 'a budget out of reach: what is within it, and what labels it takes'],
  ]
}

function fileIn({ folder, commands }: Closing, name: DemoFile): string {
  return plainText(commands.typed(join(folder, DEMO_FILES[name].name)))
}
