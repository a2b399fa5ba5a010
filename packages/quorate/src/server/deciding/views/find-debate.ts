import { kindName } from '@quorate/certificate'
import type { DebateView } from '../../../contract/debates.ts'
import type { VerdictFigures } from '../../../contract/decisions.ts'
import { debateSchema, optionNames } from '../../../record/debate.ts'
import { ledgerLineSchema } from '../../../record/ledger.ts'
import { areClasses, membersOf, representatives } from '../../../record/open-answers.ts'
import { findStored, parseStored } from '../../../record/parse-stored.ts'
import type { QuestionKey } from '../../../record/question.ts'
import { PAGE_ROWS } from '../../../run/pages.ts'
import { readStoredQuestion } from '../../../run/stored-question.ts'
import type { Hides, ListedDebate } from '../../../store/runs/listed-debates.ts'
import type { LedgerRow, Store } from '../../../store/store.ts'
import type { CachedCertificate } from '../certificate-cache.ts'
import type { ServiceContext } from '../service-context.ts'
import { debateRow, figuresOf } from './debate-row.ts'
import { agentsOf, withDetail } from './deferral-detail.ts'
import { readRecord } from './verdict-figures.ts'

/** A debate with its turns, its label, its ledger row and the calibration data it was compared with, even if it is hidden. */
export async function findDebate(
  { tools, certificates }: ServiceContext,
  { runId, questionId }: QuestionKey,
  hides: Hides,
): Promise<DebateView | null> {
  const { debates } = tools.store
  const stored = await debates.find(runId, questionId)
  if (stored === null) return null
  // A list row has everything else about the debate. The prefix may also match longer ids.
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
  const names = asked?.options ?? optionNames(options).map((name) => ({ name, text: name }))
  const members = membersOf(rounds)
  return {
    ...debateRow(row, figures),
    question: asked === null || asked.question === '' ? null : asked.question,
    ...(areClasses(names)
      ? {
          options: [...members].map(([name, texts]) => ({ name, text: texts.join(' | ') })),
          openAnswers: Object.fromEntries(representatives(rounds)),
        }
      : { options: names.map(({ name, text }) => ({ name, text: text === '' || text === name ? null : text })) }),
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

/** The label with its author and text, which lists do not contain. */
async function labelOf({ labels }: Store, { questionId, label }: ListedDebate): Promise<DebateView['label']> {
  if (label === null) return null
  const { gold, source, at } = label
  const all = await labels.of(questionId)
  const own = all.findLast((one) => one.at === at && one.source === source && one.gold === gold)
  return { gold, source, at, by: own?.by ?? null, text: own?.text ?? null }
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

/** Ledger rows are written shortly after their own time stamp, so their order differs only within this time. */
const SLACK_MS = 1000

const timeSchema = ledgerLineSchema.pick({ at: true })
const lineSchema = ledgerLineSchema.pick({ kind: true, body: true })

/** Finds the ledger row of a decision by its time; null: there is none. */
async function ledgerPlace(
  { ledger }: Store,
  { id, runId, at }: { readonly id: string; readonly runId: string; readonly at: number },
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
    const page = await ledger.list(runId, { after, limit: PAGE_ROWS })
    const found = page.find((row) => isOf(row, id))
    if (found !== undefined) return { sequence: found.sequence, hash: found.hash }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ROWS || timeOf(last) > at + SLACK_MS) return null
    after = last.sequence
  }
}

function timeOf({ line, sequence }: LedgerRow): number {
  return parseStored(timeSchema, line, `row ${sequence} of the ledger`).at
}

function isOf({ line }: LedgerRow, id: string): boolean {
  // Most rows are about something else, so the text is searched before it is parsed.
  if (!line.includes(id)) return false
  const read = findStored(lineSchema, line)
  return read?.kind === 'decision' && read.body['id'] === id
}
