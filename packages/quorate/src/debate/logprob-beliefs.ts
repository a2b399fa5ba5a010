import type { ModelReply } from '../model/model.ts'
import type { QuestionOption } from '../record/question.ts'
import { foldedForm } from './option-forms.ts'

type Places = NonNullable<ModelReply['logprobs']>
type Place = Places[number]

/** Below this the model was about to say something else, and the shares of the options are noise. */
const LEAST_MASS = 0.01

/**
 * Probabilities of the options, in their order: the softmax over the tokens that stand for them, at the place where the
 * reply gives its answer. That is its first place, if the answer stands there, else the last place where the answer's
 * name begins; without a readable answer the first place that says anything. An option that is not among the
 * alternatives there is less likely than all of them, and gets 0.
 *
 * Null where there are no log-probabilities, where no option is among the alternatives, and where one token cannot tell:
 * it is the whole of one name and the beginning of another (`1` and `10`), or the reply goes on from it to another word.
 */
export function logprobBeliefs(
  places: Places | null,
  options: readonly QuestionOption[],
  answer: number | null,
): readonly number[] | null {
  if (places === null) return null
  const names = options.map(({ name }) => foldedForm(name))
  const first = places.findIndex((place) => tokenWords(place[0]?.token ?? '') !== '')
  if (answer === null) return goesOnAsAnother(places, first, names) ? null : massesAt(places[first], names, LEAST_MASS)
  const name = names[answer] ?? ''
  const isAt = (index: number): boolean => beginsWith(places, index, name)
  const index = first >= 0 && isAt(first) ? first : places.findLastIndex((_, place) => isAt(place))
  return massesAt(places[index], names, 0)
}

/** `A` and then `rtist`: what stands here for an option is the beginning of a word that is none. A cut name is one. */
function goesOnAsAnother(places: Places, from: number, names: readonly string[]): boolean {
  const [index] = optionsOf(tokenWords(places[from]?.[0]?.token ?? ''), names)
  const name = names[index ?? -1] ?? ''
  return index !== undefined && !beginsWith(places, from, name) && !name.startsWith(spelling(places, from, name.length))
}

/** Whether the chosen tokens from here on spell the name, and then something that ends it. */
function beginsWith(places: Places, from: number, name: string): boolean {
  if (name === '' || tokenWords(places[from]?.[0]?.token ?? '') === '') return false
  const spelt = spelling(places, from, name.length)
  return spelt.startsWith(name) && !/^[\p{L}\p{N}]/u.test(spelt.slice(name.length))
}

/** The chosen tokens from here on, up to more than so many characters. */
function spelling(places: Places, from: number, length: number): string {
  let spelt = ''
  for (let index = from; index < places.length && spelt.length <= length + 1; index++) {
    spelt += places[index]?.[0]?.token ?? ''
    if (index === from) spelt = spelt.replace(LEADING, '')
  }
  return foldedForm(spelt)
}

function massesAt(place: Place | undefined, names: readonly string[], least: number): readonly number[] | null {
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

/** Options for which a token stands: it is the name, or the beginning of it. Several: it cannot be told. */
function optionsOf(words: string, names: readonly string[]): readonly number[] {
  if (words === '') return []
  const beginning = names.flatMap((name, index) => (name.startsWith(words) ? [index] : []))
  const isWhole = beginning.some((index) => names[index] === words)
  // A beginning that several names share says nothing about any of them; a whole name that begins another is a trap.
  return isWhole || beginning.length === 1 ? beginning : []
}

/** Some providers repeat the chosen token among the alternatives. */
function distinct(place: Place): ReadonlyMap<string, number> {
  const logprobs = new Map<string, number>()
  for (const { token, logprob } of place) {
    if (logprob <= 1e-6 && !logprobs.has(token)) logprobs.set(token, logprob)
  }
  return logprobs
}

/** Marks that tokenisers put for a space, and decoration around a letter. */
const LEADING = /^[\s▁Ġ("'“>*_`[{]+/u
const TRAILING = /[\s.,:;)"'”<*_`\]}]+$/u

function tokenWords(token: string): string {
  return foldedForm(token.replace(LEADING, '').replace(TRAILING, ''))
}
