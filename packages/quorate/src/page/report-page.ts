import { createHash } from 'node:crypto'
import { BINDING_WORDS, type DialPoint, type GroupFigures, type GroupShift, type Shift } from '@quorate/certificate'
import { inlineSvg } from '../figures/drawing.ts'
import { type Markup, markup, markupText } from '../figures/markup.ts'
import { fullName, shortName } from '../figures/visible-text.ts'
import { budgetLine, promiseLine } from '../text/budget-line.ts'
import {
  atLeastText,
  atMostText,
  countText,
  percentText,
  percentWithInterval,
  probabilityText,
} from '../text/number-text.ts'
import { auditSection } from './audit-section.ts'
import { intervalText, rateCell } from './figure-text.ts'
import { PAGE_STYLE } from './page-style.ts'
import { policiesTable } from './policies-section.ts'
import type { ReportData } from './report-data.ts'
import { type Draw, oursOf, reportFigures } from './report-figures.ts'

/** Each figure is drawn for both widths and the page shows one of them, so text is never shrunk. */
const WIDE = 560
const NARROW = 340

/** The whole report as one HTML file that needs no script and no network. */
export function reportPage(data: ReportData): string {
  const hash = createHash('sha256').update(PAGE_STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  const title = `quorate report: ${shortName(data.source.file, 80)}`
  const start = markup`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>${title}</title>`
  return `<!doctype html>
<html lang="en"><head>${markupText(start)}<style>${PAGE_STYLE}</style></head>
<body>${markupText(body(data))}
<script type="application/json" id="quorate-report">${embeddedJson(withFewGroups(data))}</script>
</body></html>
`
}

const MOST_GROUPS = 200

/** Keeps only the groups that the page shows, because a file may have a separate group for each debate. */
function withFewGroups(data: ReportData): ReportData {
  const ours = oursOf(data)
  const policies = data.evaluation.policies.map((policy) => ({
    ...policy,
    perGroup: policy === ours ? policy.perGroup.slice(0, MOST_GROUPS) : [],
  }))
  return { ...data, evaluation: { ...data.evaluation, policies } }
}

/** JSON that cannot close its script element, because `<` is escaped. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c')
}

const SECTIONS = [
  ['operating-point', 'Operating point'],
  ['policies', 'Every policy'],
  ['bound', 'How the bound works'],
  ['rounds', 'Rounds and groups'],
  ['audits', 'Audits'],
  ['table', 'All numbers'],
  ['recompute', 'Recompute'],
] as const

function body(data: ReportData): Markup {
  const { source, evaluation, profile, budget } = data
  const links = SECTIONS.map(([id, name]) => markup`<li><a href="#${id}">${name}</a></li>`)
  const size = `${countText(evaluation.n)} labelled debates, ${evaluation.rounds} rounds, profile ${profile}, ${data.promise === null ? `${budgetLine(budget)}, threshold ${probabilityText(budget.threshold)}` : promiseLine(data.promise)}.`
  return markup`<a class="skip" href="#main">Skip to the report</a>
<header><h1>quorate report: <bdi title="${fullName(source.file)}">${shortName(source.file, 80)}</bdi></h1><p class="lead">${size}</p><nav aria-label="Sections"><ul>${links}</ul></nav></header>
<main id="main">${sections(data)}</main>
<footer><p>quorate ${data.recompute.packageVersion}, method ${String(data.recompute.methodVersion)}. This page is self-contained: no script, no network.</p></footer>`
}

function sections(data: ReportData): Markup {
  const figures = reportFigures(data)
  const { heldOut } = data
  const half = `One certificate made from ${countText(heldOut.calibration)} of the debates decides the ${countText(heldOut.debates)} held out (seed ${data.recompute.seed}).`
  return markup`${section('operating-point', markup`${operatingTiles(data)}<div class="pair">${figure(figures.budget, 'The declared budget in its parts. The cross is the share of all debates acted on and wrong, with its 95 % interval.')}${promise(data)}</div>`)}
${section('policies', markup`<div class="pair">${figure(figures.frontier, 'Policies further up act on more debates, and policies further left use less of the budget. Right of the dashed line the budget is exceeded. The curve shows other budgets, measured against this one. Squares are other policies at this one.')}${caveatList(data)}</div>`)}
${section('bound', markup`<p class="reading">${half}</p>${totalTables(data)}<div class="pair">${figure(figures.waterfall, `From the share right among comparable labelled debates, envelope and slack are subtracted. The rest must reach the ${data.promise === null ? 'threshold' : 'floor'}.`)}${data.promise === null && figure(figures.space, spaceReading(data))}${figure(figures.certified, 'On or above the diagonal the bound held. A cross marks a bin whose whole interval lies below.')}${figure(figures.paths, 'Debates leave when they are acted on. The others continue and defer after the last round.')}</div>`)}
${section('rounds', markup`<div class="pair">${figure(figures.stopping, 'Where debates end. A cross marks a round whose whole interval lies below the threshold.')}${figure(figures.kinds, kindsReading(data))}${figure(figures.groups, groupsReading(data))}</div>${groupsTable(oursOf(data)?.perGroup ?? [])}${shiftTables(data.evaluation.shift, data.evaluation.beta)}`)}
${section('audits', auditSection(data.audit))}
${section('table', policiesTable(data))}
${section('recompute', recompute(data))}`
}

/** The classes with their counts, and for beta and the floor the share acted on at other values. */
function totalTables({ heldOut: { total } }: ReportData): Markup | false {
  if (total === null) return false
  const { classes, silence, dials } = total
  const rows = classes.map(
    ({ name, right, rows: all, lower, state }) =>
      markup`<tr><th scope="row">${shortName(name, 120)}</th><td class="number">${countText(right)} of ${countText(all)}</td><td class="number">${atLeastText(lower)} %</td><td>${CLASS_STATES[state]}</td></tr>`,
  )
  const dial = (name: string, points: readonly DialPoint[]) =>
    markup`<div><table><thead><tr><th scope="col">${name}</th><th scope="col" class="number">acts on %</th></tr></thead><tbody>${points.map(({ value, act }) => markup`<tr><th scope="row">${String(value)}</th><td class="number">${percentText(act)}</td></tr>`)}</tbody></table></div>`
  return markup`<h3>Classes</h3><p class="reading">Debates that went the same way, counted on labelled debates that shaped nothing. A refused class goes to people.</p><table><thead><tr><th scope="col">class</th><th scope="col" class="number">right</th><th scope="col" class="number">at least</th><th scope="col">state</th></tr></thead><tbody>${rows}</tbody></table>${silence.map((sentence) => markup`<p>${sentence}</p>`)}<h3>Which setting limits it</h3><p>${BINDING_WORDS[dials.binds]} Held-out debates only. A setting chosen by looking at them is a further attempt on the same labels.</p><div class="pair">${dial('beta, with the same floor', dials.byBeta)}${dials.byFloor.length > 0 && dial('floor, with the same beta', dials.byFloor)}</div>`
}

const CLASS_STATES = {
  acts: 'acts',
  refused: 'refused by the floor',
  spoiled: 'refused: a kind in it is below the floor',
} as const

function promise({ sentences }: ReportData): Markup {
  return markup`<div><h3>What is promised</h3><div class="promise">${sentences.map((sentence) => markup`<p>${sentence}</p>`)}</div></div>`
}

function caveatList({ caveats }: ReportData): Markup {
  return markup`<div><h3>Caveats</h3><ul class="caveats">${caveats.map((caveat) => markup`<li>${caveat}</li>`)}</ul></div>`
}

function section(id: (typeof SECTIONS)[number][0], content: Markup): Markup {
  const name = SECTIONS.find(([known]) => known === id)?.[1] ?? ''
  return markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${name}</h2>${content}</section>`
}

function figure(draw: Draw, reading: string): Markup {
  const [wide, narrow] = [draw(WIDE), draw(NARROW)]
  return markup`<figure><h3>${wide.title}</h3><p class="reading">${reading}</p><div class="wide">${inlineSvg(wide, `${wide.name}-wide`)}</div><div class="narrow">${inlineSvg(narrow, `${narrow.name}-narrow`)}</div></figure>`
}

function spaceReading({ heldOut: { space } }: ReportData): string {
  if (space?.kind === 'plane')
    return 'Marks are held-out debates still running. Tinted states have a bound that reaches the threshold.'
  if (space?.kind === 'line') return 'The disc marks the smallest score from which a debate acts in that round.'
  return 'A cell is a path: how many cut points of the learned score were reached in each round, 0 › 1 for none in round 1 and one in round 2. All debates of a cell share its bound.'
}

function kindsReading({ evaluation }: ReportData): string {
  return `Debates of each kind that were acted on in a test half, with 95 % intervals. The heavy line is the floor, ${percentText(evaluation.floor)} %. A total may be within budget while one kind is below the floor.`
}

function groupsReading({ budget, evaluation, promise, groupConditional }: ReportData): string {
  const of = groupConditional ? 'each group separately' : 'all debates, not about each group'
  const share = evaluation.policies.length === 0 ? '' : ` The promise is about ${of}.`
  const line = promise === null ? '1 − alpha' : 'the floor'
  return `Accuracy of what was acted on, least accurate first, with 95 % intervals. The heavy line is ${line}, ${probabilityText(budget.threshold)}.${share}`
}

function recompute({ recompute: { command, seed, methodVersion, packageVersion }, evaluation }: ReportData): Markup {
  return markup`<pre><code>${command}</code></pre><p>Splits: seeds ${evaluation.seeds.join(', ')}. Figures of one certificate and the audits: seed ${String(seed)}. Method version ${String(methodVersion)}, quorate ${packageVersion}. The same file and command give the same report. Its numbers are in this page as JSON, in the element quorate-report.</p>`
}

const SHOWN = 200
const NAME_LETTERS = 60

/** The numbers of the figure of groups. Empty if the debates name no groups. */
function groupsTable(groups: readonly GroupFigures[]): Markup {
  if (groups.length === 0) return markup``
  const shown = groups.slice(0, SHOWN)
  const rest = groups.length - shown.length
  const rows = shown.map(
    ({ group, n, act, accuracy, wrongActions }) =>
      markup`<tr><th scope="row"><bdi title="${fullName(group)}">${shortName(group, NAME_LETTERS)}</bdi></th><td class="number">${countText(n)}</td>${rateCell(act)}${rateCell(accuracy)}${rateCell(wrongActions)}</tr>`,
  )
  return markup`<details><summary>All groups in numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Table of groups"><table><thead><tr><th scope="col">Group</th><th scope="col" class="number">Debates</th><th scope="col" class="number">Act %</th><th scope="col" class="number">Right of acted %</th><th scope="col" class="number">Wrong actions %</th></tr></thead><tbody>${rows}</tbody></table></div>${rest > 0 && markup`<p class="soft">${countText(rest)} more groups are in the file.</p>`}</details>`
}

/** Each group decided by policies that were fitted on the other groups. Empty if this was not evaluated. */
function shiftTables(shift: Shift | null, beta: number): Markup {
  if (shift === null || shift.policies.length === 0) return markup``
  const halved =
    shift.isHalved && ' Groups share questions, so one half of the questions was fitted on and the other decided.'
  const tables = shift.policies.map(
    ({ name, groups, groupsOver, worstBudgetUsed }) =>
      markup`<h4>${name}: ${String(groupsOver)} of ${String(groups.length)} groups over budget, worst use ${worstBudgetUsed.toFixed(2)}</h4><div class="scroll" tabindex="0" role="region" aria-label="Groups left out, ${name}"><table><thead><tr><th scope="col">Group left out</th><th scope="col" class="number">Debates</th><th scope="col" class="number">Act %</th><th scope="col" class="number">Right of acted %</th><th scope="col" class="number">Wrong actions %</th><th scope="col" class="number">Budget used</th></tr></thead><tbody>${groups.map(shiftRow)}</tbody></table></div>`,
  )
  return markup`<h3>Groups that were not calibrated on</h3><p class="reading">Each group is decided by policies that were fitted on the other groups. Over: more than beta ${String(beta)} of the group acted on and wrong. The 95 % interval is in brackets.${halved} A certificate says nothing about groups you did not calibrate on.</p>${tables}`
}

function shiftRow({ group, n, act, accuracy, wrongActions, low, high, budgetUsed, isOver }: GroupShift): Markup {
  const over = isOver && markup` <span class="over">✕ over</span>`
  const wrong =
    low === null || high === null
      ? percentText(wrongActions)
      : percentWithInterval(wrongActions, { lower: low, upper: high })
  return markup`<tr><th scope="row"><bdi title="${fullName(group)}">${shortName(group, NAME_LETTERS)}</bdi>${over}</th><td class="number">${countText(n)}</td><td class="number">${percentText(act)}</td><td class="number">${accuracy === null ? '–' : percentText(accuracy)}</td><td class="number">${wrong}</td><td class="number">${budgetUsed.toFixed(2)}</td></tr>`
}

/** The results at the declared budget, as numbers with their intervals. */
function operatingTiles(data: ReportData): Markup {
  const ours = oursOf(data)
  if (ours === undefined) return markup`<p>The certificate could not be fitted: see the caveats.</p>`
  const { evaluation, heldOut } = data
  const used = ours.budgetUsed.mean
  const tiles = [
    tile('acts on', `${percentText(ours.act.mean)} %`, `${intervalText(ours.act)} of all debates`),
    ours.accuracy === null
      ? tile('right when it acts', 'none', 'nothing was acted on')
      : tile('right when it acts', `${percentText(ours.accuracy.mean)} %`, intervalText(ours.accuracy)),
    tile(
      'acts and is wrong',
      `${percentText(ours.wrongActions.mean)} %`,
      `${intervalText(ours.wrongActions)} of all debates`,
    ),
    tile(
      'budget used',
      used.toFixed(2),
      `worst split ${ours.worstBudgetUsed.toFixed(2)}${used > 1 ? ', above beta' : ''}`,
    ),
    tile('rounds used', ours.roundsUsed.mean.toFixed(2), `of ${evaluation.rounds}`),
    tile(
      'calls a debate',
      ours.calls.mean.toFixed(1),
      `${ours.calls.min.toFixed(1)}–${ours.calls.max.toFixed(1)} over splits`,
    ),
  ]
  return markup`<dl class="tiles">${tiles}</dl>${heldOut.total === null && markup`<p>${actedErrorText(heldOut)}</p>`}`
}

function tile(name: string, number: string, note: string): Markup {
  return markup`<div><dt>${name}</dt><dd><span class="number">${number}</span><span class="note">${note}</span></dd></div>`
}

/** The part of the promise about the answers that were acted on. */
function actedErrorText({ acted, actedError }: ReportData['heldOut']): string {
  if (acted === 0) return 'Error among answers acted on: no bound, since nothing was acted on.'
  if (actedError === null) {
    return 'Error among answers acted on: the bound alpha + epsilon + shortfall / P(act) is vacuous, because so little is acted on.'
  }
  return `Error among answers acted on: at most ${atMostText(actedError)} %, by alpha + epsilon + shortfall / P(act) with the lower 95 % limit of P(act), averaged over calibration sets.`
}
