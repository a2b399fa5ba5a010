import { type Audit, type Check, type CheckRow, type Verdict, worstRow } from '@quorate/certificate'
import { type Markup, markup } from '../figures/markup.ts'
import { fullName, shortName } from '../figures/visible-text.ts'
import { countText, figureText, pValueText } from '../text/number-text.ts'

/** Each verdict has its own shape, so that no meaning depends on colour alone. */
const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  falsified: '✕',
  'not falsified': '○',
  'not enough data': '–',
}

const NAME_LETTERS = 60
const MOST_ROWS = 200

/** Each check of an assumption with its verdict, its finding and the next step. */
export function auditSection(audit: Audit | null): Markup {
  if (audit === null)
    return markup`<p>The file does not allow an audit: it needs labelled debates of at least two questions.</p>`
  const rows = audit.checks.map(checkRow)
  return markup`<p>Verdict: ${verdictMark(audit.verdict)}. A check is falsified when its Holm-adjusted p-value is below 0.01. An audit can contradict an assumption. It cannot prove one.</p><div class="scroll" tabindex="0" role="region" aria-label="Table of audits"><table class="stacked"><caption>${countText(audit.calibration)} debates, a random half, made a certificate to test the method. The other ${countText(audit.heldOut)} test it, seed ${String(audit.seed)}.</caption><thead><tr><th scope="col">Check</th><th scope="col">Verdict</th><th scope="col" class="number">Worst figure</th><th scope="col" class="number">Threshold</th><th scope="col" class="number">p, Holm</th><th scope="col">What was seen</th><th scope="col">Next step</th></tr></thead><tbody>${rows}</tbody></table></div>${detailRows(audit)}`
}

function checkRow(check: Check): Markup {
  const worst = check.verdict === 'not enough data' ? null : worstRow(check.rows)
  return markup`<tr><th scope="row">${check.name}</th><td>${verdictMark(check.verdict)}</td>${figureCell(worst)}<td class="number" data-name="threshold">${figureText(worst?.line ?? null)}</td><td class="number" data-name="p, Holm">${pValueText(check.adjustedPValue)}</td><td class="long"><bdi>${fullName(check.finding)}</bdi></td><td class="long" data-name="Next:"><bdi>${fullName(check.next)}</bdi></td></tr>`
}

function verdictMark(verdict: Verdict): Markup {
  const classes = verdict === 'falsified' ? 'verdict falsified' : 'verdict'
  return markup`<span class="${classes}">${VERDICT_MARKS[verdict]} ${verdict}</span>`
}

function figureCell(row: CheckRow | null): Markup {
  if (row === null || row.figure === null)
    return markup`<td class="number" data-name="figure"><span class="soft">–</span></td>`
  const interval = row.low !== null && row.high !== null && `${row.low.toFixed(3)}–${row.high.toFixed(3)}`
  return markup`<td class="number" data-name="figure">${figureText(row.figure)}${interval && markup`<span class="interval">${interval}</span>`}</td>`
}

function detailRows({ checks, measures }: Audit): Markup {
  const all = checks.flatMap((check) => check.rows.map((row) => ({ check: check.name, row })))
  const shown = all
    .slice(0, MOST_ROWS)
    .map(
      ({ check, row }) =>
        markup`<tr><td>${check}</td><th scope="row"><bdi title="${fullName(row.name)}">${shortName(row.name, NAME_LETTERS)}</bdi></th><td class="number">${row.n === null ? '–' : countText(row.n)}</td>${figureCell(row)}<td class="number">${figureText(row.line)}</td><td class="number">${pValueText(row.pValue)}</td><td class="number">${pValueText(row.adjustedPValue)}</td></tr>`,
    )
  const rows = markup`<details><summary>Every place that was tested</summary><div class="scroll" tabindex="0" role="region" aria-label="Table of tested places"><table><thead><tr><th scope="col">Check</th><th scope="col">Place</th><th scope="col" class="number">n</th><th scope="col" class="number">Figure</th><th scope="col" class="number">Threshold</th><th scope="col" class="number">p</th><th scope="col" class="number">p, Holm</th></tr></thead><tbody>${shown}</tbody></table></div></details>`
  const terms = checks.map(
    (check) => markup`<dt>${check.name}</dt><dd>${check.assumption} <span class="soft">Null: ${check.null}</span></dd>`,
  )
  return markup`${all.length > 0 && rows}<details><summary>What each check assumes</summary><dl>${terms}</dl></details>${measures.length > 0 && measureList(measures)}`
}

function measureList(measures: Audit['measures']): Markup {
  const rows = measures.flatMap(({ name, rows: places }) =>
    places
      .slice(0, MOST_ROWS)
      .map(
        (place) =>
          markup`<tr><td>${name}</td><th scope="row"><bdi>${shortName(place.name, NAME_LETTERS)}</bdi></th><td class="number">${place.n === null ? '–' : countText(place.n)}</td><td class="number">${figureText(place.value)}</td></tr>`,
      ),
  )
  const meanings = measures.map(({ name, meaning }) => markup`<dt>${name}</dt><dd>${meaning}</dd>`)
  return markup`<details><summary>Figures of the paper that test nothing</summary><dl>${meanings}</dl><div class="scroll" tabindex="0" role="region" aria-label="Table of measures"><table><thead><tr><th scope="col">Measure</th><th scope="col">Place</th><th scope="col" class="number">n</th><th scope="col" class="number">Value</th></tr></thead><tbody>${rows}</tbody></table></div></details>`
}
