import type {
  CallOutcome,
  CallPlace,
  CallState,
  Intent,
  Review,
  Spend,
  StoredCall,
  StoredLabel,
  StoredReview,
} from '../../../src/store/store.ts'

/** The obvious store: lists in memory that are searched from start to end. */
export class ModelStore {
  readonly calls: StoredCall[] = []
  readonly labels: StoredLabel[] = []
  readonly reviews: StoredReview[] = []
  /** Questions of the run that still have their text. */
  readonly texts: Set<string>
  fence: string | null = null

  constructor(questions: readonly string[]) {
    this.texts = new Set(questions)
  }

  open(intent: Intent): true | string {
    if (this.fence !== null && this.fence !== intent.fence) return 'fenced'
    if (!this.texts.has(intent.questionId)) return 'erased'
    const isThere = this.calls.some(({ id }) => id === intent.id)
    if (isThere || this.placed(intent).some(({ attempt }) => attempt === intent.attempt)) return 'exists'
    const nothing = { reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null, error: null }
    this.calls.push({ ...intent, state: 'open', at: null, ...nothing })
    return true
  }

  close(id: string, fence: string, state: Exclude<CallState, 'open'>, outcome: CallOutcome): boolean {
    const at = this.calls.findIndex((call) => call.id === id && call.fence === fence && call.state === 'open')
    const call = this.calls[at]
    if (call === undefined || (this.fence !== null && this.fence !== fence)) return false
    const bare = { reply: null, inputTokens: null, outputTokens: null, costMicroUsd: null }
    this.calls[at] = { ...call, state, ...outcome, ...(state === 'answered' ? {} : bare) }
    if (!this.texts.has(call.questionId)) this.erase(at)
    return true
  }

  takeOver(fence: string, at: number): number {
    this.fence = fence
    let lost = 0
    for (const [index, call] of this.calls.entries()) {
      if (call.state !== 'open' || call.fence === fence) continue
      const error = 'the process ended before it stored the reply'
      this.calls[index] = { ...call, state: 'lost', at, error }
      lost++
    }
    return lost
  }

  placed(place: CallPlace): readonly StoredCall[] {
    return this.calls.filter((call) =>
      (['questionId', 'agent', 'round', 'repeat', 'isReminder'] as const).every((name) => call[name] === place[name]),
    )
  }

  cached(cacheKey: string): StoredCall | null {
    const answers = this.calls.filter((call) => call.cacheKey === cacheKey && call.state === 'answered' && call.reply)
    return answers.sort((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null
  }

  redact(questionId: string): number {
    let erased = this.texts.delete(questionId) ? 1 : 0
    for (const [index, call] of this.calls.entries()) {
      if (call.questionId !== questionId) continue
      const hasWords = call.error !== null && call.error !== 'erased'
      erased += (call.reply === null ? 0 : 1) + (hasWords ? 1 : 0)
      this.calls[index] = { ...call, cacheKey: call.id }
      this.erase(index)
    }
    return erased
  }

  private erase(index: number): void {
    const call = this.calls[index]
    if (call !== undefined) this.calls[index] = { ...call, reply: null, error: call.error === null ? null : 'erased' }
  }

  spend(): Spend {
    const sum = (calls: readonly StoredCall[], part: (call: StoredCall) => number | null) =>
      calls.reduce((total, call) => total + (part(call) ?? 0), 0)
    const count = (state: CallState) => this.calls.filter((call) => call.state === state).length
    const paid = this.calls.filter(({ state }) => state !== 'refused')
    const uncosted = paid.filter(({ costMicroUsd }) => costMicroUsd === null)
    return {
      calls: { open: count('open'), answered: count('answered'), refused: count('refused'), lost: count('lost') },
      inputTokens: sum(paid, (call) => call.inputTokens),
      outputTokens: sum(paid, (call) => call.outputTokens),
      committedMicroUsd: sum(paid, (call) => call.costMicroUsd),
      reservedMicroUsd: sum(uncosted, (call) => call.reservedMicroUsd),
      unpricedCalls: uncosted.filter(({ reservedMicroUsd }) => reservedMicroUsd === null).length,
    }
  }

  addTo<Row extends { readonly id: string }>(rows: Row[], row: Row): true | string {
    if (rows.some(({ id }) => id === row.id)) return 'exists'
    rows.push(row)
    return true
  }

  update(
    id: string,
    expected: Pick<Review, 'status' | 'claimedBy' | 'claimedUntil'>,
    next: Partial<StoredReview>,
  ): boolean {
    const at = this.reviews.findIndex((review) => review.id === id)
    const review = this.reviews[at]
    if (review === undefined) return false
    const names = ['status', 'claimedBy', 'claimedUntil'] as const
    if (names.some((name) => review[name] !== expected[name])) return false
    this.reviews[at] = { ...review, ...next }
    return true
  }
}
