import { canonicalJson, sha256 } from '@quorate/certificate'
import { pages } from '../../run/pages.ts'
import { readIntake } from '../../run/stored-question.ts'
import type { Store } from '../../store/store.ts'
import type { Identity } from '../access/identity.ts'
import { ProblemError } from '../problem-response.ts'

/** The stored form of an Idempotency-Key. Each caller has a namespace of keys. */
export function requestKeyOf({ name, isLocal }: Identity, key: string): string {
  return sha256(canonicalJson([isLocal, name, key]))
}

/** Remembers which question each key was used for. */
export interface RequestKeys {
  /**
   * Calls `accept` with the id of the question under the key. Requests with the same key wait for each other. A refused request
   * leaves no trace.
   */
  inTurn<View>(
    asked: { readonly key: string; readonly id: string | undefined },
    accept: (questionId: string) => Promise<View>,
  ): Promise<View>
  /** Before the next lookup, reads the keys of the run's latest questions, which an earlier process accepted. */
  learnFrom(runs: Store['runs'], runId: string): void
}

const MOST_KEYS = 10_000

export function createRequestKeys(): RequestKeys {
  const known = new Map<string, string>()
  const turns = new Map<string, Promise<unknown>>()
  /** Runs whose keys were not read yet. They are read late, because there may be thousands and many servers never need one. */
  const unread = new Map<string, Store['runs']>()
  let learning: Promise<void> | null = null
  const remember = (key: string, questionId: string) => {
    known.set(key, questionId)
    const [oldest] = known.keys()
    if (known.size > MOST_KEYS && oldest !== undefined) known.delete(oldest)
  }

  async function learn(): Promise<void> {
    for (const [runId, runs] of unread) {
      for await (const { questionId, question } of await latestQuestions(runs, runId)) {
        const key = readIntake(question)?.requestKey ?? null
        if (key !== null) remember(key, questionId)
      }
      // If they could not be read, the next request tries again.
      unread.delete(runId)
    }
  }

  function learned(): Promise<void> {
    learning ??= learn().finally(() => {
      learning = null
    })
    return learning
  }

  return {
    async inTurn({ key, id }, accept) {
      const turn = (turns.get(key) ?? Promise.resolve()).then(async () => {
        // More runs may be opened in the meantime.
        while (unread.size > 0) await learned()
        // Without an id it is derived from the key, so that it is the same after a restart.
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
    learnFrom: (runs, runId) => void unread.set(runId, runs),
  }
}

async function latestQuestions(runs: Store['runs'], runId: string) {
  const total = Object.values(await runs.counts(runId)).reduce((sum, count) => sum + count, 0)
  return pages(
    (page) => runs.questions(runId, page),
    Math.max(-1, total - MOST_KEYS - 1),
    ({ position }) => position,
  )
}

function sameQuestion(before: string | undefined, id: string | undefined): string | undefined {
  if (before === undefined || id === undefined || before === id) return id ?? before
  const errors = [{ field: 'id', expected: 'the same as before under this Idempotency-Key' }]
  throw new ProblemError({ status: 409, detail: 'The Idempotency-Key was used for another question.', errors })
}
