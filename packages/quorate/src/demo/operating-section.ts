import { comparedText, countText, exactTexts } from '../report/number-text.ts'
import { operatingTable } from '../report/operating-table.ts'
import { heading, type PageFrame } from '../report/page-frame.ts'
import { wrapText } from '../report/wrap-text.ts'
import { ROUNDS } from '../simulated/panel.ts'
import type { Calibrated } from './calibrated.ts'
import { measureDecisions, measureMajority } from './measure.ts'

/** What each profile did on the fresh debates, beside acting on everything. */
export function operatingSection(runs: readonly Calibrated[], beta: number, page: PageFrame): string[] {
  const fresh = (runs[0]?.decided ?? []).map(({ debate }) => debate)
  const table = operatingTable(
    {
      beta,
      certified: runs.map(({ profile, decided }) => ({ name: profile, ...measureDecisions(decided) })),
      alwaysTitle: 'acting always, on the majority of',
      always: [1, ROUNDS].map((round) => ({ name: `round ${round}`, ...measureMajority(fresh, round) })),
    },
    page.style,
  )
  const lines = runs.map(({ profile, certificate }) => `${profile} ${exactTexts([certificate.threshold])[0]}`)
  const note =
    `Wrong actions: acted and wrong, of all ${countText(fresh.length)} questions. ` +
    `Used: wrong actions / beta. Rounds: mean held; a deferral counts as all ${ROUNDS}. In brackets: 95 % Clopper-Pearson ` +
    'intervals.'
  return [
    heading(`Operating point on ${countText(fresh.length)} fresh simulated questions`, page),
    ...table,
    ...wrapText(note, page.width).map(page.style.faint),
    ...wrapText(`Line to act from: ${lines.join(', ')}.`, page.width),
    ...runs.flatMap((run) => silentNote(run, page)),
  ]
}

/** Why a profile acts on nothing: its best bound and its line. */
function silentNote({ profile, certificate, decided }: Calibrated, page: PageFrame): string[] {
  if (!certificate.feasible || decided.some(({ decision }) => decision.kind === 'act')) return []
  const bounds = decided.flatMap(({ decision }) => decision.path.flatMap(({ lower }) => lower ?? []))
  const best = bounds.reduce((most, bound) => Math.max(most, bound), Number.NEGATIVE_INFINITY)
  const [bound, line] = comparedText(best, certificate.threshold)
  const reason = bounds.length === 0 ? 'no debate has a bound' : `its best bound is ${bound}, its line ${line}`
  return wrapText(`${profile} acts on nothing here: ${reason}.`, page.width)
}
