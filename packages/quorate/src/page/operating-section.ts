import { type Markup, markup } from '../figures/markup.ts'
import { budgetLine } from '../text/budget-line.ts'
import { percentText } from '../text/number-text.ts'
import { intervalText } from './figure-text.ts'
import type { ReportData } from './report-data.ts'
import { oursOf } from './report-figures.ts'

/** What the certificate did at the declared budget, in numbers with their intervals. */
export function operatingTiles(data: ReportData): Markup {
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

/** The part of a promise that is about what was acted on. */
function actedErrorText({ acted, actedError }: ReportData['heldOut']): string {
  if (acted === 0) return 'Error among answers acted on: no bound, since nothing was acted on.'
  if (actedError === null) {
    return 'Error among answers acted on: the bound alpha + epsilon + shortfall / P(act) is vacuous, because so little is acted on.'
  }
  return `Error among answers acted on: at most ${percentText(actedError)} %, by alpha + epsilon + shortfall / P(act) with the lower 95 % limit of P(act), averaged over calibration sets.`
}

export function budgetText(budget: ReportData['budget']): string {
  return budgetLine(budget)
}
