import { kindName } from '@quorate/certificate'
import { z } from 'zod'
import type { DebateRow, DebateSummary, DebateSummaryQuery, DebateView } from '../../../contract/debates.ts'
import type { VerdictFigures } from '../../../contract/decisions.ts'
import { debateSchema, optionNames } from '../../../record/debate.ts'
import { ledgerLineSchema } from '../../../record/ledger.ts'
import { areClasses, membersOf } from '../../../record/open-answers.ts'
import { findStored, jsonOf, parseStored } from '../../../record/parse-stored.ts'
import type { QuestionKey } from '../../../record/question.ts'
import { excerptOf } from '../../../review/asked-question.ts'
import { readStoredQuestion } from '../../../run/stored-question.ts'
import type { DebateCursor, DebateFilter, Hides, ListedDebate } from '../../../store/runs/listed-debates.ts'
import type { LedgerRow, Store, StoredDecision } from '../../../store/store.ts'
import type { Identity } from '../../access/identity.ts'
import { isKeptBlind } from '../../access/kept-blind.ts'
import { ProblemError } from '../../problem-response.ts'
import type { Services } from '../../services.ts'
import type { CachedCertificate } from '../certificate-cache.ts'
import type { ServiceContext } from '../service-context.ts'
import { createBlindness } from './blindness.ts'
import { bestBound, bestScore, MOST_SUMMED, scoreFilter, summaryOf } from './debate-summary.ts'
import { agentsOf, withDetail } from './deferral-detail.ts'
import { likelyWords } from './likely-words.ts'
import { badCursor, pageOfRows } from './lists.ts'
import { readRecord, recordFigures } from './verdict-figures.ts'

type CertificateContext = Pick<ServiceContext, 'tools' | 'certificates'>

export interface DebateService extends ReadDebates {
  /** Whether a query finds a debate, of all that are stored. */
  finder(query: DebateSummaryQuery, who: Identity): Promise<(debate: QuestionKey) => boolean>
}

type ReadDebates = Services['debates']

export function debateService(context: CertificateContext): DebateService {
  const { store, now } = context.tools
  const { reveal } = createBlindness(context.tools)

  /** What stands in JSON is filtered here: rows are read until enough of them fit, or so many were looked at. */
  async function rowsOf(
    query: DebateSummaryQuery,
    who: Identity,
    after: DebateCursor | null,
    limit: number,
  ): Promise<readonly DebateRow[]> {
    const page = { filter: filterOf(query), now: now(), hides: hidesFrom(who) }
    const fits = scoreFilter(query)
    const found: DebateRow[] = []
    for (let [cursor, looked] = [after, 0]; ; ) {
      const rows = await store.debates.latest({ ...page, after: cursor, limit })
      found.push(...rows.map((row) => hiddenRow(debateRow(row, figuresOf(row)))).filter(fits))
      looked += rows.length
      cursor = rows.at(-1) ?? null
      if (rows.length < limit || found.length >= limit || looked >= MOST_LOOKED_AT) return found.slice(0, limit)
    }
  }

  /** What was typed may be misspelt: the words that questions have are no secret. */
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
      if (who.role !== 'admin') throw new ProblemError({ status: 403, detail: 'only an admin may reveal a blind item' })
      await reveal({ runId, questionIds: [questionId], who })
      return view
    },
  }
}

/** Rows that one request looks at where it filters by score. */
const MOST_LOOKED_AT = 5000

/** Somebody alone with the store, or a program, is kept from nothing but what is blind. */
function hidesFrom(who: Identity): Hides {
  return isKeptBlind(who) ? 'what-may-be-blind' : 'what-is-blind'
}

/** Without what was answered and decided. */
function hiddenRow(row: DebateRow): DebateRow {
  if (!row.isHidden) return row
  const nothing = { kind: null, answer: null, reason: null, bound: null, boundRound: null, threshold: null, gold: null }
  return {
    ...row,
    ...nothing,
    score: null,
    needs: null,
    scoreRound: null,
    isSpotCheck: null,
    rounds: null,
    status: null,
    votes: null,
  }
}

function hiddenView(view: DebateView): DebateView {
  const nothing = {
    turns: [],
    verdict: null,
    label: null,
    claim: [],
    ledger: null,
    compared: { kind: 'none' } as const,
  }
  // The texts of open answers are what the panel said.
  const options = areClasses(view.options) ? view.options.map(({ name }) => ({ name, text: null })) : view.options
  return { ...view, ...hiddenRow(view), ...nothing, options }
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

function figuresOf({ decision }: ListedDebate, threshold = 1): VerdictFigures | null {
  return decision === null ? null : recordFigures(readRecord(decision), threshold)
}

function debateRow(row: ListedDebate, figures: VerdictFigures | null): DebateRow {
  const { runId, questionId, group, at, rounds, status, isSpotCheck, isHidden, decision, label } = row
  const question = row.question === null ? null : readStoredQuestion(row.question)
  return {
    runId,
    questionId,
    group,
    at,
    rounds,
    status,
    isSpotCheck,
    isHidden,
    excerpt: question === null || question.question === '' ? null : excerptOf(question.question),
    kind: decision?.kind ?? null,
    answer: decision?.answer ?? null,
    reason: decision?.reason ?? null,
    ...bestBound(figures),
    ...bestScore(figures),
    threshold: figures === null || figures.path.length === 0 ? null : figures.threshold,
    votes: votesOf(row),
    gold: label?.gold ?? question?.gold ?? null,
  }
}

function votesOf({ debate, decision }: ListedDebate): DebateRow['votes'] {
  const rounds = findStored(debateSchema, debate)?.rounds ?? []
  if (rounds.length === 0) return null
  const answer = decision?.answer ?? mostFrequent((rounds.at(-1) ?? []).map((turn) => turn.answer))
  return rounds.map((turns) =>
    turns.map((turn) => (turn.answer === null ? 'none' : turn.answer === answer ? 'same' : 'other')),
  )
}

function mostFrequent(answers: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>()
  for (const answer of answers) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? null
}

/** All of it, hidden or not. */
export async function findDebate(
  { tools, certificates }: CertificateContext,
  { runId, questionId }: QuestionKey,
  hides: Hides,
): Promise<DebateView | null> {
  const { debates } = tools.store
  const stored = await debates.find(runId, questionId)
  if (stored === null) return null
  // The list has all that stands around the debate; ids that begin alike come with it.
  const rows = await debates.latest({
    after: { at: stored.at, runId, questionId: `${questionId}\u0001` },
    limit: 1,
    filter: { runId, prefix: questionId },
    now: tools.now(),
    hides,
  })
  const row = rows.find((found) => found.questionId === questionId)
  if (row === undefined) return null
  const { decision } = row
  const cached = decision === null ? null : await certificates.open(decision.certificateId)
  const bare = figuresOf(row, cached?.certified.certificate.threshold)
  const { options, rounds, failure = null } = parseStored(debateSchema, stored.debate, 'a debate')
  const figures =
    bare &&
    withDetail(bare, {
      fingerprint: cached?.certified.certificate.fingerprint ?? null,
      agents: agentsOf(rounds),
      mismatch: decision === null ? [] : readRecord(decision).mismatch,
      failure,
    })
  const asked = row.question === null ? null : readStoredQuestion(row.question)
  const members = membersOf(rounds)
  return {
    ...debateRow(row, figures),
    question: asked === null || asked.question === '' ? null : asked.question,
    options: (asked?.options ?? optionNames(options).map((name) => ({ name, text: name }))).map(({ name, text }) => ({
      name,
      text: members.get(name)?.join(' | ') ?? (text === '' || text === name ? null : text),
    })),
    turns: rounds.map((turns) =>
      turns.map(({ agent, answer, beliefs, conf, samples, text }) => ({
        agent,
        answer,
        beliefs: beliefs ?? null,
        text: text === '' ? null : (text ?? null),
        confidence: conf?.verbal ?? null,
        ...(samples === undefined || samples === null ? {} : { samples }),
      })),
    ),
    verdict: figures,
    label: await labelOf(tools.store, row),
    certificate: decision?.certificateId ?? null,
    compared: figures === null || cached === null ? { kind: 'none' } : comparedWith(cached, figures),
    claim: [...(cached?.claim ?? [])],
    ledger: decision === null ? null : await ledgerPlace(tools.store, { ...decision, runId }),
  }
}

/** With who said it, which lists do not need. */
async function labelOf({ labels }: Store, { questionId, label }: ListedDebate): Promise<DebateView['label']> {
  if (label === null) return null
  const { gold, source, at } = label
  const all = await labels.of(questionId)
  const own = all.findLast((one) => one.at === at && one.source === source && one.gold === gold)
  return { gold, source, at, by: own?.by ?? null }
}

/** Labelled debates shown for each round. */
const NEIGHBOURS = 8

function comparedWith(
  { certified: { certificate } }: CachedCertificate,
  { path }: VerdictFigures,
): DebateView['compared'] {
  if (certificate.kind === 'cells') {
    const rows = path.flatMap(({ round, cell, neighbours = 0, successes = 0 }) =>
      cell === undefined ? [] : [{ round, cell, labels: neighbours, successes }],
    )
    return { kind: 'cells', rows }
  }
  if (certificate.kind === 'total') {
    const rows = path.flatMap(({ round, kind, neighbours, successes = 0 }) =>
      kind === undefined || neighbours === undefined
        ? []
        : [{ round, cell: kindName(kind), labels: neighbours, successes }],
    )
    return { kind: 'cells', rows }
  }
  const rows = path.flatMap(({ round, state }) =>
    state === undefined
      ? []
      : certificate.nearest(round, state, NEIGHBOURS).map(({ id, distance, correct }) => ({
          round,
          id,
          distance,
          correct,
        })),
  )
  return { kind: 'neighbours', rows }
}

/** Rows are chained shortly after the time that they name, and in nearly that order. */
const SLACK_MS = 1000
const PAGE = 200

const timeSchema = ledgerLineSchema.pick({ at: true })
const lineSchema = ledgerLineSchema.pick({ kind: true, body: true })

/** Where the chain of its run has a decision, found by its time; null: not there. */
async function ledgerPlace(
  { ledger }: Pick<Store, 'ledger'>,
  { id, runId, at }: Pick<StoredDecision, 'id' | 'runId' | 'at'>,
): Promise<{ readonly sequence: number; readonly hash: string } | null> {
  const head = await ledger.head(runId)
  if (head === null) return null
  const rowAt = async (sequence: number) => (await ledger.list(runId, { after: sequence - 1, limit: 1 }))[0]
  let low = 1
  let high = head.sequence
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await rowAt(middle)
    if (row === undefined || timeOf(row) >= at - SLACK_MS) high = middle
    else low = middle + 1
  }
  for (let after = low - 1; ; ) {
    const page = await ledger.list(runId, { after, limit: PAGE })
    const found = page.find((row) => isOf(row, id))
    if (found !== undefined) return { sequence: found.sequence, hash: found.hash }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || timeOf(last) > at + SLACK_MS) return null
    after = last.sequence
  }
}

function timeOf({ line, sequence }: LedgerRow): number {
  return parseStored(timeSchema, line, `row ${sequence} of the ledger`).at
}

function isOf({ line }: LedgerRow, id: string): boolean {
  // Most rows are others: their text is searched before it is parsed.
  if (!line.includes(id)) return false
  const read = findStored(lineSchema, line)
  return read?.kind === 'decision' && read.body['id'] === id
}
