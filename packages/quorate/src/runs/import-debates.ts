import { createHash } from 'node:crypto'
import { canonicalJson, type Debate, readDebate, sha256 } from '@quorate/certificate'
import type { Question } from '../questions/question.ts'
import type { Millis, Run, RunQuestion, Store } from '../store/store.ts'
import type { RecordedDebate } from './calibration-panels.ts'
import { writeQuestion } from './stored-question.ts'

export interface ImportTools {
  readonly now: () => Millis
  readonly newId: () => string
}

/** Debates that were held elsewhere, as a run of their own; nothing is known of the panel that held them. */
export async function importDebates(
  store: Store,
  debates: () => AsyncIterable<RecordedDebate>,
  { where, now, newId }: ImportTools & { readonly where: string },
): Promise<Run> {
  const rows: Omit<RunQuestion, 'runId' | 'status'>[] = []
  const hash = createHash('sha256')
  for await (const { value, place } of debates()) {
    const question = questionOf(value, { where, place })
    const text = writeQuestion(question)
    hash.update(`${text}\n`)
    rows.push({ position: rows.length, questionId: question.id, question: text, isDrawn: false })
  }
  const config = canonicalJson({ imported: true })
  const run: Run = {
    ...{ id: newId(), kind: 'debate', createdAt: now(), configHash: sha256(config), questionsHash: hash.digest('hex') },
    ...{ config, certificateId: null, isShadow: false, seed: 0, status: 'open' },
  }
  await store.runs.create(run, rows)
  const body = { kind: 'debate', imported: true, questions: rows.length, questionsHash: run.questionsHash }
  await store.ledger.append({
    runId: run.id,
    kind: 'run-opened',
    at: now(),
    body: { ...body, certificateId: null },
    texts: [],
  })
  for await (const { value, place } of debates()) {
    const { id, rounds } = readDebate(value as Debate, { elicitation: 'given', where, place }) // the door checks it
    const debate = JSON.stringify(value)
    await store.debates.save({
      runId: run.id,
      questionId: id,
      debate,
      rounds: rounds.length,
      status: 'done',
      at: now(),
    })
  }
  await store.runs.finish(run.id)
  await store.ledger.append({
    runId: run.id,
    kind: 'run-closed',
    at: now(),
    body: { questions: rows.length },
    texts: [],
  })
  return run
}

function questionOf(value: unknown, { where, place }: { readonly where: string; readonly place: string }): Question {
  const debate = value as Debate & { readonly question?: unknown } // the door checks it
  const { id, group, options, gold } = readDebate(debate, { elicitation: 'given', where, place })
  const texts = Array.isArray(debate.options) ? {} : debate.options
  return {
    id,
    group,
    question: typeof debate.question === 'string' ? debate.question : id,
    options: options.map((name) => ({ name, text: Reflect.get(texts, name) ?? name })),
    gold: gold === null ? null : (options[gold] ?? null),
  }
}
