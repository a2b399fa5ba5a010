import {
  type CertifyAnswer,
  type DecisionView,
  HIDDEN_FIGURES,
  HIDDEN_VIEW,
  type ShownCertifyAnswer,
} from '../../contract/decisions.ts'
import type { LabelQuery, LabelView } from '../../contract/labels.ts'
import type { LedgerRowView } from '../../contract/ledger.ts'
import type { Page } from '../../contract/page.ts'
import type { QuestionKey } from '../../record/question.ts'
import { type Identity, isKeptBlind } from '../access/identity.ts'
import { ProblemError } from '../problem-response.ts'
import type { DecisionEvent, Services } from '../services.ts'

/** The caller, and whether they reveal a blind item as an admin. */
export interface Viewing {
  readonly services: Services
  readonly who: Identity
  readonly query?: { readonly reveal?: 'true' | 'false' | undefined }
}

export async function shownDecision(viewing: Viewing, view: DecisionView): Promise<DecisionView> {
  return (await isMasked(viewing, view)) ? hiddenDecision(view) : view
}

/** Hides the decision as other routes do, even from the person who posted the debate. */
export async function shownCertified(viewing: Viewing, answer: CertifyAnswer): Promise<ShownCertifyAnswer> {
  const { decisionId, id, runId, certificate, isShadow, comparedBy, turns, claim, threshold } = answer
  if (!(await isMasked(viewing, { runId, questionId: id }))) return answer
  return {
    ...HIDDEN_FIGURES,
    threshold,
    isSpotCheck: null,
    isHidden: true,
    decisionId,
    id,
    runId,
    certificate,
    isShadow,
    comparedBy,
    turns,
    claim,
  }
}

/** The events of a decision. A hidden one only has `decided`. Null: there is no such decision. */
export async function shownEvents(
  viewing: Viewing,
  id: string,
  signal: AbortSignal,
): Promise<AsyncIterable<DecisionEvent> | null> {
  const { services, who, query } = viewing
  const events = () => services.decisions.events(id, signal)
  if (!isKeptBlind(who)) return events()
  const view = await services.decisions.find(id, { waitMs: 0, signal })
  if (view === null) return null
  await shownDecision(viewing, view)
  const shown = await events()
  const isRevealed = query?.reveal === 'true' && who.role === 'admin'
  return shown === null || isRevealed ? shown : maskedEvents({ services, who }, shown, view)
}

/** Checks before each event, because a question may become a review item in the meantime. */
async function* maskedEvents(
  viewing: Viewing,
  events: AsyncIterable<DecisionEvent>,
  place: QuestionKey,
): AsyncGenerator<DecisionEvent> {
  for await (const shown of events) {
    if (!(await isMasked(viewing, place))) yield shown
    else if (shown.event === 'decided') yield { event: 'decided', data: hiddenDecision(shown.data) }
  }
}

/** The kind of the row with the numbers of questions of a run that were acted on and deferred. */
const END = 'run-closed'

export async function shownLedger(viewing: Viewing, page: Page<LedgerRowView>): Promise<Page<LedgerRowView>> {
  const [first] = page.items
  if (first === undefined || !isKeptBlind(viewing.who)) return page
  const asked = page.items.map(({ line }) => questionOf(line))
  const questionIds = asked.filter((id) => id !== null)
  const hidden = await stillHidden(viewing, { runId: first.runId, questionIds })
  // The number of actions minus the shown actions would reveal how many hidden questions are spot checks.
  const hasEnd = page.items.some(({ line }) => line['kind'] === END)
  const hidesEnd = hasEnd && hidden.size + Number(await viewing.services.blindness.hidesAny(first.runId)) > 0
  const isHidden = (row: LedgerRowView, at: number) =>
    hidden.has(asked[at] ?? '') || (hidesEnd && row.line['kind'] === END)
  const items = page.items.map((row, at) => (isHidden(row, at) ? hiddenRow(row) : row))
  return { ...page, items }
}

/**
 * The source of a label reveals the decision, so labels of hidden questions are left out until they are final. Pages are filled
 * up and end with the last label that is shown, because a gap would reveal that one is left out.
 */
export async function shownLabels({ services, who }: Viewing, query: LabelQuery): Promise<Page<LabelView>> {
  if (!isKeptBlind(who)) return services.labels.list(query)
  const shown: LabelView[] = []
  let cursor = query.cursor ?? null
  do {
    const page = await services.labels.list({ ...query, ...(cursor === null ? {} : { cursor }) })
    const ours = page.items.filter(({ source }) => source !== 'import')
    const hidden = await services.blindness.hidden({ questionIds: ours.map(({ questionId }) => questionId) })
    shown.push(...page.items.filter((label) => !ours.includes(label) || !hidden.has(label.questionId)))
    cursor = page.next
  } while (cursor !== null && shown.length <= query.limit)
  const items = shown.slice(0, query.limit)
  return { items, next: shown.length > query.limit ? (items.at(-1)?.id ?? null) : null }
}

async function isMasked(viewing: Viewing, { runId, questionId }: QuestionKey): Promise<boolean> {
  if (!isKeptBlind(viewing.who)) return false
  return (await stillHidden(viewing, { runId, questionIds: [questionId] })).size > 0
}

/** Those of the questions that stay hidden. Revealed ones are recorded before they are shown. */
async function stillHidden(
  { services: { blindness }, who, query }: Viewing,
  among: { readonly runId: string; readonly questionIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  const hidden = await blindness.hidden(among)
  if (query?.reveal !== 'true' || hidden.size === 0) return hidden
  if (who.role !== 'admin') throw new ProblemError({ status: 403, detail: 'Only an admin may reveal a blind item.' })
  await blindness.reveal({ runId: among.runId, questionIds: [...hidden], who })
  return new Set()
}

function hiddenDecision(view: DecisionView): DecisionView {
  return { ...view, ...HIDDEN_VIEW }
}

/** The number and kinds of a question's rows would reveal when it was decided, so even its id is removed. */
function hiddenRow({ line, ...row }: LedgerRowView): LedgerRowView {
  const { at, previous, runId, sequence } = line
  return { ...row, line: { at, previous, runId, sequence }, isHidden: true }
}

function questionOf({ body }: LedgerRowView['line']): string | null {
  if (typeof body !== 'object' || body === null || !('questionId' in body)) return null
  return typeof body.questionId === 'string' ? body.questionId : null
}
