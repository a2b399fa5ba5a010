import { canonicalJson, sha256 } from '@quorate/certificate'
import { pages } from '../../run/pages.ts'
import { readIntake } from '../../run/stored-question.ts'
import type { Store } from '../../store/store.ts'
import type { Identity } from '../access/identity.ts'
import { ProblemError } from '../problem-response.ts'

/** What an Idempotency-Key is kept as: each caller has a space of keys of their own. */
export function requestKeyOf({ name, isLocal }: Identity, key: string): string {
  return sha256(canonicalJson([isLocal, name, key]))
}

/** Which question a key was used for. */
export interface RequestKeys {
  /**
   * Gives `accept` the id that the question has under the key; requests of one key wait for each other, and one that is
   * refused leaves nothing behind.
   */
  inTurn<View>(
    asked: { readonly key: string; readonly id: string | undefined },
    accept: (questionId: string) => Promise<View>,
  ): Promise<View>
  /** Keys of the latest questions of a run, which an earlier process accepted. */
  learn(runs: Store['runs'], runId: string): Promise<void>
}

export const MOST_KEYS = 10_000

export function createRequestKeys(): RequestKeys {
  const known = new Map<string, string>()
  const turns = new Map<string, Promise<unknown>>()
  const remember = (key: string, questionId: string) => {
    known.set(key, questionId)
    const [oldest] = known.keys()
    if (known.size > MOST_KEYS && oldest !== undefined) known.delete(oldest)
  }
  return {
    async inTurn({ key, id }, accept) {
      const turn = (turns.get(key) ?? Promise.resolve()).then(async () => {
        // Without an id the key makes one, which is the same after any restart.
        const questionId = sameQuestion(known.get(key), id) ?? `key-${key.slice(0, 32)}`
        const view = await accept(questionId)
        remember(key, questionId)
        return view
      })
      const ended = turn.catch(() => undefined)
      turns.set(key, ended)
      void ended.then(() => {
        if (turns.get(key) === ended) turns.delete(key)
      })
      return turn
    },
    async learn(runs, runId) {
      const total = Object.values(await runs.counts(runId)).reduce((sum, count) => sum + count, 0)
      const latest = pages(
        (page) => runs.questions(runId, page),
        Math.max(-1, total - MOST_KEYS - 1),
        ({ position }) => position,
      )
      for await (const { questionId, question } of latest) {
        const key = readIntake(question)?.requestKey ?? null
        if (key !== null) remember(key, questionId)
      }
    },
  }
}

function sameQuestion(before: string | undefined, id: string | undefined): string | undefined {
  if (before === undefined || id === undefined || before === id) return id ?? before
  const errors = [{ field: 'id', expected: 'the same as before under this Idempotency-Key' }]
  throw new ProblemError({ status: 409, detail: 'the Idempotency-Key was used for another question', errors })
}
