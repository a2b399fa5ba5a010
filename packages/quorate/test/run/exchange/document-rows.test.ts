import { expect, onTestFinished, test } from 'vitest'
import { OTHER } from '../../../src/record/open-answers.ts'
import { documentRows } from '../../../src/run/exchange/document-rows.ts'
import { writeQuestion } from '../../../src/run/stored-question.ts'
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts'
import { saveDecision } from '../../store/rows.ts'
import { sampleDebate, sampleDecision, sampleEntry, sampleId, sampleLabel, sampleRun } from '../../store/samples.ts'

interface Given {
  readonly decided: { readonly kind: 'act' | 'defer'; readonly answer: string | null }
  readonly label: Partial<Parameters<typeof sampleLabel>[1]> | null
}

/** A document with one critical field that was decided and then reviewed. */
async function documentWith({ decided, label }: Given) {
  const store = openSqlite(':memory:', { now: () => 1 })
  onTestFinished(() => store.close())
  const asked = { id: 'd1#total', question: 'What is the total?', gold: null, group: null }
  const options = ['1', '2', OTHER].map((name) => ({ name, text: name }))
  const question = writeQuestion({ ...asked, options })
  const run = sampleRun({ kind: 'decide' })
  await store.runs.create(run, [{ position: 0, questionId: asked.id, question, isSpotCheck: false }])
  const reason = decided.kind === 'defer' ? 'bound-low' : null
  const decision = sampleDecision(0, asked.id, { ...decided, reason, isShadow: false })
  await saveDecision(store, decision, sampleDebate(asked.id), sampleEntry({ texts: [] }))
  if (label !== null)
    await store.labels.addAll([sampleLabel(1, { runId: sampleId(1), questionId: asked.id, ...label })])
  async function* documents() {
    yield { id: 'd1', question: 'an invoice', options: [], gold: null, group: null }
  }
  const field = { name: 'total', isCritical: true, certificateId: decision.certificateId, goldColumn: 'total' }
  const fields = [{ ...field, idOf: (id: string) => `${id}#total` }]
  return async (format: 'csv' | 'jsonl') => {
    const found: string[] = []
    for await (const row of documentRows(store, { documents: documents(), fields, format })) found.push(row)
    return found
  }
}

const ACTED = { kind: 'act', answer: '1' } as const
const DEFERRED = { kind: 'defer', answer: null } as const

test('a document has the answer that a person typed if no answer of the panel was right', async () => {
  const rows = await documentWith({ decided: DEFERRED, label: { gold: OTHER, verdict: 'answer', text: '=1200' } })
  const [row = ''] = await rows('jsonl')
  expect(JSON.parse(row)).toMatchObject({ decision: 'reviewed', total_decision: 'person', total_answer: '=1200' })
  expect((await rows('csv')).at(-1)).toContain("'=1200")
})

test.each([
  { given: 'cannot tell', label: { gold: null, verdict: 'cannot-tell' } },
  { given: 'a bad question', label: { gold: null, verdict: 'bad-question' } },
  { given: 'that no answer of the panel is right', label: { gold: OTHER, verdict: 'grades' } },
] as const)(
  'a document is not acted on where a person said $said of a field, whatever the panel did',
  async ({ label }) => {
    for (const decided of [ACTED, DEFERRED]) {
      const [row = ''] = await (await documentWith({ decided, label }))('jsonl')
      const expected = { decision: 'unanswered', reason: 'total', total_decision: 'unanswered', total_answer: null }
      expect(JSON.parse(row)).toMatchObject(expected)
    }
  },
)

test('a document is acted on if its field needed no review, and waits if it was deferred', async () => {
  for (const [decided, decision] of [
    [ACTED, 'act'],
    [DEFERRED, 'defer'],
  ] as const) {
    const [row = ''] = await (await documentWith({ decided, label: null }))('jsonl')
    expect(JSON.parse(row)).toMatchObject({ decision, total_decision: decision })
  }
})
