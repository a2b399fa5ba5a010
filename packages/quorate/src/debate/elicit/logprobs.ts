import type { ModelReply } from '../../model/model.ts'
import type { QuestionOption } from '../../record/question.ts'
import { byName } from '../debate-record.ts'
import { foldedForm } from '../match-option.ts'
import { plainForm } from '../reply/plain.ts'
import { readPlainReply } from '../reply/read-reply.ts'
import { answerOf, type Elicitation, oneMaximum } from './elicitation.ts'

/** The largest number that providers give. */
const TOP_LOGPROBS = 20

/**
 * The probabilities of the option names as the first word of the reply. The reply is the name of an option and nothing
 * else. If the sampled word is another one, the probabilities of the names at its place still count, and the answer is
 * the likeliest of them.
 */
export const LOGPROBS: Elicitation = {
  reading: 'given',
  isRepeated: false,
  asksLogprobs: true,
  readsOpenAnswers: false,
  form: ({ options }) => plainForm(options),
  settings: () => ({ topLogprobs: TOP_LOGPROBS, schema: null }),
  read(reply, { options }) {
    const parsed = readPlainReply(reply, options)
    if (reply.finish === 'refusal') return { parsed, beliefs: null, isComplete: false }
    const answer = parsed.kind === 'answer' ? options.findIndex(({ name }) => name === parsed.option) : null
    const beliefs = logprobBeliefs(reply.logprobs, options, answer)
    return { parsed, beliefs, isComplete: parsed.kind === 'answer' || beliefs !== null }
  },
  turn([reading], options) {
    const beliefs = reading?.beliefs ?? null
    const answer = answerOf(reading)
    if (beliefs === null) return { answer, beliefs: null }
    const shares = options.map(({ name }, index) => [name, beliefs[index] ?? 0] as const)
    return { answer: answer ?? oneMaximum(shares), beliefs: byName(shares) }
  },
}

type Places = NonNullable<ModelReply['logprobs']>
type LoggedToken = Places[number]

/** Below this the model was about to write something else, and the shares of the options are noise. */
const LEAST_MASS = 0.01

/**
 * Probabilities of the options, in their order: the softmax over the tokens that stand for them where the answer's name
 * begins, or without an answer at the first place that is not blank. An option that is not among the alternatives there
 * is less likely than all of them, and gets 0.
 *
 * Null if there are no log-probabilities, if no option is among the alternatives, and if one token is ambiguous: it is
 * the whole of one name and the beginning of another (`1` and `10`). Null also if the reply is no option but begins
 * with a token that stands for one: `A` may begin `Artist`, or a sentence about another agent's answer.
 */
export function logprobBeliefs(
  places: Places | null,
  options: readonly QuestionOption[],
  answer: number | null,
): readonly number[] | null {
  if (places === null) return null
  const names = options.map(({ name }) => foldedForm(name))
  if (answer !== null) {
    const name = names[answer] ?? ''
    return massesAt(
      places.findLast((_, index) => spells(places, index, name)),
      names,
      0,
    )
  }
  const first = places.findIndex((place) => spoken(place[0]?.token ?? '').trim() !== '')
  const begun = optionsOf(tokenWords(places[first]?.[0]?.token ?? ''), names)
  const isOther = begun.length > 0 && !isCutName(places.slice(first), names[begun[0] ?? 0] ?? '')
  return isOther ? null : massesAt(places[first], names, LEAST_MASS)
}

/** Whether the chosen tokens from here on spell the name, without more letters that would make it a longer word. */
function spells(places: Places, from: number, name: string): boolean {
  if (name === '' || tokenWords(places[from]?.[0]?.token ?? '') === '') return false
  let spelled = ''
  for (let index = from; index < places.length && spelled.length <= name.length + 1; index++) {
    const token = spoken(places[index]?.[0]?.token ?? '')
    spelled += index === from ? token.replace(LEADING, '') : token
  }
  const spelt = foldedForm(spelled)
  return spelt.startsWith(name) && !/^[\p{L}\p{N}]/u.test(spelt.slice(name.length))
}

/** Whether the whole reply is the beginning of this name, because it reached the token limit. */
function isCutName(places: Places, name: string): boolean {
  const spelled = foldedForm(places.map((place) => spoken(place[0]?.token ?? '')).join(''))
  return spelled !== '' && name.startsWith(spelled)
}

function massesAt(place: LoggedToken | undefined, names: readonly string[], least: number): readonly number[] | null {
  const masses = names.map(() => 0)
  for (const [token, logprob] of distinct(place ?? [])) {
    const fitting = optionsOf(tokenWords(token), names)
    if (fitting.length > 1) return null
    const [index] = fitting
    if (index !== undefined) masses[index] = (masses[index] ?? 0) + Math.exp(Math.min(logprob, 0))
  }
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  return total > 0 && total >= least ? masses.map((mass) => mass / total) : null
}

/** The options that a token stands for: it is the name, or the beginning of it. Several: ambiguous. */
function optionsOf(words: string, names: readonly string[]): readonly number[] {
  if (words === '') return []
  const beginning = names.flatMap((name, index) => (name.startsWith(words) ? [index] : []))
  const isWhole = beginning.some((index) => names[index] === words)
  // A beginning that several names share says nothing about any of them. A whole name that begins another is ambiguous.
  return isWhole || beginning.length === 1 ? beginning : []
}

/** Some providers repeat the chosen token among the alternatives. */
function distinct(place: LoggedToken): ReadonlyMap<string, number> {
  const logprobs = new Map<string, number>()
  for (const { token, logprob } of place) {
    if (logprob <= 1e-6 && !logprobs.has(token)) logprobs.set(token, logprob)
  }
  return logprobs
}

/** Tokenisers write a space as a mark of their own. */
function spoken(token: string): string {
  return token.replace(/[▁Ġ]/gu, ' ')
}

/** Decoration around a letter: `(B`, `**B`, `B.`. A quotation mark is none. */
const LEADING = /^[\s(*_[{]+/u
const TRAILING = /(?<![\s.,:;)*_\]}])[\s.,:;)*_\]}]+$/u

function tokenWords(token: string): string {
  return foldedForm(spoken(token).replace(LEADING, '').replace(TRAILING, ''))
}
