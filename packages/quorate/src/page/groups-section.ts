import type { GroupFigures } from '@quorate/certificate'
import { type Markup, markup } from '../figures/markup.ts'
import { fullName, shortName } from '../figures/visible-text.ts'
import { countText } from '../report/number-text.ts'
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
