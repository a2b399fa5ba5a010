import type { Random } from '@quorate/certificate'
import type { CertifyAnswer, CertifyInput, DecisionView } from '../../../src/contract/decisions.ts'
import type { NextReview, ReviewItem, SubmittedReview, UndoneReview } from '../../../src/contract/reviews.ts'
import { type Answered, ask, bearer } from '../ask.ts'
import type { Journal } from './journal.ts'
import type { Lives } from './lives.ts'
import type { Moments } from './moments.ts'

export const OPTIONS = ['A', 'B', 'C', 'D'] as const

export interface ClientWorld {
  readonly lives: Lives
  readonly journal: Journal
  readonly moments: Moments
  /** Begin nothing more. */
  isOver(): boolean
  nextNumber(): number
}

interface Sending {
  readonly token: string
  /** Absent: GET. */
  readonly body?: unknown
  readonly key?: string
}

interface Sent extends Answered {
  /** The server was killed at least once before it answered, so the request may have taken effect before. */
  readonly isRepeated: boolean
}

/** Retries until there is an answer, from whichever process is running. */
async function send({ lives, moments }: ClientWorld, path: string, { token, body, key }: Sending): Promise<Sent> {
  const headers = { ...bearer(token), ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  for (let isRepeated = false; ; isRepeated = true) {
    const life = await lives.current()
    const asked = ask(life.port, path, request)
    if (body !== undefined) moments.note('sent')
    const answered = await asked.catch(() => null)
    if (answered === null) {
      await life.ended
      continue
    }
    if (body !== undefined && answered.status < 300) moments.note('accepted')
    return { ...answered, isRepeated }
  }
}

function read<Value>({ journal }: ClientWorld, path: string, { status, text, json }: Sent): Value | null {
  if (status < 300) return json() as Value // the contract's own tests say that it is
  journal.complaints.push(`${path} was answered with ${status}: ${text}`)
  return null
}

export interface Client {
  readonly token: string
  readonly random: Random
}

/** Asks one question after another, some of them twice, and waits for each decision. */
export async function askQuestions(world: ClientWorld, { token, random }: Client): Promise<void> {
  while (!world.isOver()) {
    const number = world.nextNumber()
    const asked = { question: `Which letter has number ${number}?`, options: OPTIONS }
    const body = random() < 0.5 ? asked : { ...asked, id: `q${number}` }
    const request = { token, body, key: `key-${number}` }
    const path = '/v1/decisions'
    const accepted = read<DecisionView>(world, path, await send(world, path, request))
    if (accepted === null) continue
    const entry = { asked, accepted, decided: null }
    world.journal.decisions.set(accepted.id, entry)
    const again = random() < 0.3 ? read<DecisionView>(world, path, await send(world, path, request)) : accepted
    if (again?.id !== accepted.id) world.journal.complaints.push(`${again?.id} and ${accepted.id} are one question`)
    await decided(world, token, entry)
  }
}

async function decided(world: ClientWorld, token: string, entry: { accepted: DecisionView; decided: unknown }) {
  const path = `/v1/decisions/${entry.accepted.id}?wait=5`
  while (entry.decided === null) {
    const view = read<DecisionView>(world, path, await send(world, path, { token }))
    if (view === null || view.status === 'failed') {
      world.journal.complaints.push(`${path} failed`)
      return
    }
    if (view.status === 'decided') entry.decided = view
  }
}

/** Posts the rounds of debates one by one, some of them twice, and sampled debates to the last round. */
export async function certifyDebates(
  world: ClientWorld,
  { token, random, debates }: Client & { readonly debates: Iterator<CertifyInput> },
): Promise<void> {
  const path = '/v1/certify'
  while (!world.isOver()) {
    const { value: debate, done } = debates.next()
    if (done === true) return
    for (let rounds = 1; rounds <= debate.rounds.length; rounds++) {
      const request = { token, body: { ...debate, rounds: debate.rounds.slice(0, rounds) } }
      const sent = await send(world, path, request)
      const answer = read<CertifyAnswer>(world, path, sent)
      if (answer === null) break
      world.journal.certified.push({ rounds, answer })
      const again = random() < 0.3 ? await send(world, path, request) : sent
      if (again.text !== sent.text) world.journal.complaints.push(`${sent.text} became ${again.text}`)
      if (answer.kind !== 'continue' && !answer.isSpotCheck) break
    }
  }
}

/** Works through the queue and undoes some of the reviews, at once or long after. */
export async function reviewItems(
  world: ClientWorld,
  { name, token, random }: Client & { readonly name: string },
): Promise<void> {
  const submitted: string[] = []
  while (!world.isOver()) {
    const [earlier] = random() < 0.1 ? submitted.splice(0, 1) : []
    if (earlier !== undefined) await takeBack(world, token, earlier)
    const path = '/v1/reviews/next'
    const next = read<NextReview>(world, path, await send(world, path, { token, body: {} }))
    const item = next?.item ?? null
    if (item === null || !(await submit(world, { name, token, item }))) continue
    const taken = random() < 0.25 ? await takeBack(world, token, item.id) : null
    const isSaid = taken === 'undone' ? await submit(world, { name, token, item }) : taken === null
    if (isSaid) submitted.push(item.id)
  }
}

interface Submitting {
  readonly name: string
  readonly token: string
  readonly item: ReviewItem
}

async function submit(world: ClientWorld, { name, token, item }: Submitting): Promise<boolean> {
  const path = `/v1/reviews/${item.id}/submit`
  const option = rightOption(item.question ?? '')
  const outcome = { kind: 'option', option } as const
  const sent = await send(world, path, { token, body: { outcome, note: `number ${item.id}` } })
  const answer = read<SubmittedReview>(world, path, sent)
  if (answer === null) return false
  world.moments.note('reviewed')
  const { undoUntil } = answer
  world.journal.reviews.push({ kind: 'submitted', reviewId: item.id, by: name, outcome, undoUntil })
  return true
}

async function takeBack(world: ClientWorld, token: string, reviewId: string): Promise<'undone' | 'retracted' | null> {
  const path = `/v1/reviews/${reviewId}/undo`
  const sent = await send(world, path, { token, body: {} })
  // It was undone by a request that the server could not answer any more.
  const isDone = sent.isRepeated && sent.status === 409 && sent.text.includes('Nothing was submitted')
  const kind = isDone ? 'undone' : read<UndoneReview>(world, path, sent)?.kind
  if (kind === undefined) return null
  world.moments.note('reviewed')
  world.journal.reviews.push({ kind, reviewId })
  return kind
}

/** The number in the question determines it. */
export function rightOption(question: string): string {
  return OPTIONS[Number(/number (\d+)\?/.exec(question)?.[1] ?? 0) % OPTIONS.length] ?? 'A'
}
