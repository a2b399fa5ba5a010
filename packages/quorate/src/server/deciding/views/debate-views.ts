import { z } from 'zod'
import {
  type DebateRow,
  type DebateSummary,
  type DebateSummaryQuery,
  type DebateView,
  HIDDEN_DEBATE,
  HIDDEN_ROW,
} from '../../../contract/debates.ts'
import { jsonOf } from '../../../record/parse-stored.ts'
import type { QuestionKey } from '../../../record/question.ts'
import type { DebateCursor, DebateFilter, Hides, ListedDebate } from '../../../store/runs/listed-debates.ts'
import { type Identity, isKeptBlind } from '../../access/identity.ts'
import { ProblemError } from '../../problem-response.ts'
import type { Services } from '../../services.ts'
import type { ServiceContext } from '../service-context.ts'
import { createBlindness } from './blindness.ts'
import { debateRow, figuresOf, hiddenRow } from './debate-row.ts'
import { MOST_SUMMED, scoreFilter, summaryOf } from './debate-summary.ts'
import { findDebate } from './find-debate.ts'
import { likelyWords } from './likely-words.ts'
import { badCursor, pageOfRows } from './lists.ts'

export type DebateViews = Services['debates'] & {
  /** Returns a function that tests whether a stored debate matches the query. */
  finder(query: DebateSummaryQuery, who: Identity): Promise<(debate: QuestionKey) => boolean>
}

export function createDebateViews(context: ServiceContext): DebateViews {
  const { store, now } = context.tools
  const { reveal } = createBlindness(context.tools)

  /** The store cannot filter by score, so rows are read until `limit` of them match or MOST_READ were read. */
  async function rowsOf(
    query: DebateSummaryQuery,
    who: Identity,
    after: DebateCursor | null,
    limit: number,
  ): Promise<readonly DebateRow[]> {
    const page = { filter: filterOf(query), now: now(), hides: hidesFrom(who) }
    const fits = scoreFilter(query)
    const found: DebateRow[] = []
    for (let [cursor, read] = [after, 0]; ; ) {
      const rows = await store.debates.latest({ ...page, after: cursor, limit })
      found.push(...rows.map((row) => hiddenRow(debateRow(row, figuresOf(row)))).filter(fits))
      read += rows.length
      cursor = rows.at(-1) ?? null
      if (rows.length < limit || found.length >= limit || read >= MOST_READ) return found.slice(0, limit)
    }
  }

  /** Suggests another spelling, from the words of questions, which are not secret. */
  async function suggest({ q, ...others }: DebateSummaryQuery, who: Identity): Promise<DebateSummary['suggestion']> {
    if (q === undefined || q.trim() === '') return null
    const texts = (await rowsOf(others, who, null, MOST_SUMMED)).map(({ excerpt }) => excerpt ?? '')
    const likely = likelyWords(q, texts)
    if (likely === null) return null
    const { length } = await rowsOf({ ...others, q: likely }, who, null, MOST_SUMMED)
    return length === 0 ? null : { q: likely, debates: length }
  }

  return {
    async list(query, who) {
      const { cursor, limit } = query
      const after = cursor === undefined ? null : readCursor(cursor)
      const found = await rowsOf(query, who, after, limit + 1)
      const { items, next } = pageOfRows(found, limit, writeCursor)
      return { items, next }
    },
    async summary(query, who) {
      const rows = await rowsOf(query, who, null, MOST_SUMMED)
      const suggestion = rows.length === 0 ? await suggest(query, who) : null
      return { ...summaryOf(rows), suggestion }
    },
    async finder(query, who) {
      const found = new Set<string>()
      const page = { filter: filterOf(query), now: now(), hides: hidesFrom(who), limit: MOST_SUMMED }
      const fits = scoreFilter(query)
      for (let after: DebateCursor | null = null; ; ) {
        const rows: readonly ListedDebate[] = await store.debates.latest({ ...page, after })
        for (const row of rows) {
          if (fits(hiddenRow(debateRow(row, figuresOf(row))))) found.add(JSON.stringify([row.runId, row.questionId]))
        }
        after = rows.at(-1) ?? null
        if (rows.length < MOST_SUMMED) break
      }
      return ({ runId, questionId }) => found.has(JSON.stringify([runId, questionId]))
    },
    async find(runId, questionId, { who, isRevealed }) {
      const view = await findDebate(context, { runId, questionId }, hidesFrom(who))
      if (view === null || !view.isHidden) return view
      if (!isRevealed) return hiddenView(view)
      if (who.role !== 'admin')
        throw new ProblemError({ status: 403, detail: 'Only an admin may reveal a blind item.' })
      await reveal({ runId, questionIds: [questionId], who })
      return view
    },
  }
}

/** The most rows that one request reads to filter by score. */
const MOST_READ = 5000

/** For a program, or a person alone with the store, only items that are blind hide their debates. */
function hidesFrom(who: Identity): Hides {
  return isKeptBlind(who) ? 'what-may-be-blind' : 'what-is-blind'
}

function hiddenView(view: DebateView): DebateView {
  return { ...view, ...HIDDEN_ROW, ...HIDDEN_DEBATE, options: view.openAnswers === undefined ? view.options : [] }
}

function filterOf({
  decided,
  kind,
  reason,
  group,
  status,
  run,
  id,
  sampled,
  outcome,
  q,
  from,
  to,
}: DebateSummaryQuery): DebateFilter {
  return {
    ...(decided === undefined ? {} : { isDecided: decided === 'true' }),
    ...(kind === undefined ? {} : { kind }),
    ...(reason === undefined ? {} : { reason }),
    ...(group === undefined ? {} : { group }),
    ...(status === undefined ? {} : { status }),
    ...(run === undefined ? {} : { runId: run }),
    ...(id === undefined ? {} : { prefix: id }),
    ...(sampled === undefined ? {} : { isSpotCheck: sampled === 'true' }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(q === undefined || q.trim() === '' ? {} : { words: q.trim() }),
    ...((kind ?? reason ?? status ?? sampled ?? outcome ?? from ?? to) === undefined ? {} : { isShown: true }),
  }
}

const cursorSchema = z.tuple([z.int(), z.string(), z.string()])

function writeCursor({ at, runId, questionId }: DebateCursor): string {
  return Buffer.from(JSON.stringify([at, runId, questionId])).toString('base64url')
}

function readCursor(text: string): DebateCursor {
  const read = cursorSchema.safeParse(jsonOf(Buffer.from(text, 'base64url').toString('utf8')))
  if (!read.success) throw badCursor()
  const [at, runId, questionId] = read.data
  return { at, runId, questionId }
}
