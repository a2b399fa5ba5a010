import type { GroupFigures, GroupShift, Shift } from '@quorate/certificate'
import { type Markup, markup } from '../figures/markup.ts'
import { fullName, shortName } from '../figures/visible-text.ts'
import { countText, percentText, percentWithInterval } from '../text/number-text.ts'
import { rateCell } from './figure-text.ts'

const SHOWN = 200
const NAME_LETTERS = 60

/** The figures behind the dots; nothing where the debates name no groups. */
export function groupsTable(groups: readonly GroupFigures[]): Markup {
  if (groups.length === 0) return markup``
  const shown = groups.slice(0, SHOWN)
  const rest = groups.length - shown.length
  const rows = shown.map(
    ({ group, n, act, accuracy, wrongActions }) =>
      markup`<tr><th scope="row"><bdi title="${fullName(group)}">${shortName(group, NAME_LETTERS)}</bdi></th><td class="number">${countText(n)}</td>${rateCell(act)}${rateCell(accuracy)}${rateCell(wrongActions)}</tr>`,
  )
  return markup`<details><summary>All groups in numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Table of groups"><table><thead><tr><th scope="col">Group</th><th scope="col" class="number">Debates</th><th scope="col" class="number">Act %</th><th scope="col" class="number">Right of acted %</th><th scope="col" class="number">Wrong actions %</th></tr></thead><tbody>${rows}</tbody></table></div>${rest > 0 && markup`<p class="soft">${countText(rest)} more groups are in the file.</p>`}</details>`
}

/** Groups as policies decide them that were fitted on the others; nothing where that was not done. */
export function shiftTables(shift: Shift | null, beta: number): Markup {
  if (shift === null || shift.policies.length === 0) return markup``
  const halved =
    shift.isHalved && ' Groups share questions, so one half of the questions was fitted on and the other decided.'
  const tables = shift.policies.map(
    ({ name, groups, groupsOver, worstBudgetUsed }) =>
      markup`<h4>${name}: ${String(groupsOver)} of ${String(groups.length)} groups over budget, worst use ${worstBudgetUsed.toFixed(2)}</h4><div class="scroll" tabindex="0" role="region" aria-label="Groups left out, ${name}"><table><thead><tr><th scope="col">Group left out</th><th scope="col" class="number">Debates</th><th scope="col" class="number">Act %</th><th scope="col" class="number">Right of acted %</th><th scope="col" class="number">Wrong actions %</th><th scope="col" class="number">Budget used</th></tr></thead><tbody>${groups.map(shiftRow)}</tbody></table></div>`,
  )
  return markup`<h3>Groups that were not calibrated on</h3><p class="reading">Each group is decided by policies that were fitted on the other groups. Over: more than beta ${String(beta)} of the group acted on and wrong; in brackets the 95 % interval.${halved} A certificate says nothing about groups you did not calibrate on.</p>${tables}`
}

function shiftRow({ group, n, act, accuracy, wrongActions, low, high, budgetUsed, isOver }: GroupShift): Markup {
  const over = isOver && markup` <span class="over">✕ over</span>`
  const wrong =
    low === null || high === null
      ? percentText(wrongActions)
      : percentWithInterval(wrongActions, { lower: low, upper: high })
  return markup`<tr><th scope="row"><bdi title="${fullName(group)}">${shortName(group, NAME_LETTERS)}</bdi>${over}</th><td class="number">${countText(n)}</td><td class="number">${percentText(act)}</td><td class="number">${accuracy === null ? '–' : percentText(accuracy)}</td><td class="number">${wrong}</td><td class="number">${budgetUsed.toFixed(2)}</td></tr>`
}
