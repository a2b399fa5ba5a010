import { type Random, seededRandom } from '@quorate/certificate'
import type { Ask } from '../../../src/debate/ask.ts'
import { loadPrompts } from '../../../src/debate/load-prompts.ts'
import type { Question } from '../../../src/record/question.ts'
import { calibrationDebates } from '../../../src/run/calibration/calibration-debates.ts'
import type { Certified } from '../../../src/run/calibration/certified.ts'
import { makeCertified } from '../../../src/run/calibration/make-certificate.ts'
import type { Verdict } from '../../../src/run/debate-question.ts'
import { inForm } from '../../fake-provider/in-form.ts'
import { AGENTS, each, samplePlan } from '../sample-panel.ts'
import { debatesOf, directVerdicts } from './wrong-actions.ts'

/**
 * A panel with known truth: three agents vote for A or B over two rounds. A debate goes one of sixteen ways, each with a known
 * probability and a known chance to be right, so a certificate can be judged exactly.
 */
export interface KnownTrial {
  readonly seed: number
  /** Labelled questions. */
  readonly count: number
  /** Chance that the panel's last answer is right. */
  readonly chance: number
  readonly budget: { readonly beta: number; readonly delta: number; readonly epsilon: number }
  /** Debates of each question. With the same text they are runs of one question, with different texts separate questions. */
  readonly copies: number
  readonly texts: 'one' | 'several'
}

export interface KnownResult {
  /** Shares of all debates: with a bound, and with a bound above the truth of its cell. */
  readonly looked: number
  readonly tooHigh: number
  readonly acted: number
  readonly wrong: number
}

interface Way {
  /** Votes for A in round 1 and in round 2. */
  readonly votes: readonly [number, number]
  readonly probability: number
}

const WAYS: readonly Way[] = [0, 1, 2, 3].flatMap((first) =>
  [0, 1, 2, 3].map((second) => ({
    votes: [first, second] as const,
    probability: 0.5 * (binomial(first, 0.85) + binomial(first, 0.15)) * binomial(second, first >= 2 ? 0.9 : 0.1),
  })),
)

const sample = samplePlan({ kind: 'decide' })
const plan = {
  ...sample,
  panel: { ...sample.panel, rounds: 2, elicitation: 'vote' as const, prompts: loadPrompts() },
}

/** Calibrates and decides with the code of a run, and judges the result on the whole population. */
export async function tryKnown(trial: KnownTrial): Promise<KnownResult> {
  const certified = await certifiedOf(trial)
  const verdicts = await directVerdicts(wayQuestions('new'), { plan, ask, certified })
  return judge([...verdicts.values()], trial.chance)
}

let made: ReturnType<typeof debatesOf> | null = null

/** One debate for each way, the same in all trials. */
function debatedOnce() {
  made ??= debatesOf(wayQuestions('debated'), { plan, ask })
  return made
}

async function certifiedOf({ seed, count, chance, budget, copies, texts }: KnownTrial): Promise<Certified> {
  const debates = await debatedOnce()
  const random = seededRandom(seed)
  const rows = Array.from({ length: count }, (_, row) => {
    const way = drawWay(random)
    const gold = random() < chanceOfA(way, chance) ? 'A' : 'B'
    const debate = debates[WAYS.indexOf(way)]
    return Array.from({ length: copies }, (_, copy) => {
      const id = `${row}/${copy}`
      return { value: { ...debate, id, gold, question: `Question ${texts === 'one' ? row : id}?` }, place: id }
    })
  })
  const read = await calibrationDebates(each(rows.flat()), { where: 'trial', beliefs: 'vote' })
  return makeCertified(read, { profile: 'cells', budget })
}

/** A question for each way. The agents recognise it by its id. */
function wayQuestions(name: string): readonly Question[] {
  const options = ['A', 'B'].map((option) => ({ name: option, text: option }))
  return WAYS.map((_, way) => ({ id: `${name} ${way}`, group: null, question: `${name} ${way}`, options, gold: null }))
}

const SEATS: readonly string[] = AGENTS

const ask: Ask = async ({ questionId, agent, round, messages }) => {
  const { votes } = WAYS[Number(questionId.split(' ')[1])] ?? { votes: [] }
  const answer = SEATS.indexOf(agent) < (votes[round - 1] ?? 0) ? 'A' : 'B'
  const text = inForm(messages.at(-1)?.content ?? '', { answer })
  return {
    kind: 'reply',
    reply: { text, finish: 'stop', usage: null, servedModel: null, logprobs: null, warnings: [] },
  }
}

function judge(verdicts: readonly Verdict[], chance: number): KnownResult {
  const cells = new Map<string, { probability: number; right: number }>()
  const keyOf = ({ round, cell }: Verdict['path'][number]) => `${round}: ${cell}`
  for (const [way, { path }] of verdicts.entries()) {
    for (const step of path) {
      const { probability, right } = cells.get(keyOf(step)) ?? { probability: 0, right: 0 }
      const more = probabilityOf(way)
      cells.set(keyOf(step), {
        probability: probability + more,
        right: right + more * chanceRight(way, step.round, chance),
      })
    }
  }
  const tally = { looked: 0, tooHigh: 0, acted: 0, wrong: 0 }
  for (const [way, verdict] of verdicts.entries()) {
    const isTooHigh = verdict.path.some((step) => {
      const { probability, right } = cells.get(keyOf(step)) ?? { probability: 0, right: 0 }
      return step.lower !== null && step.lower > right / probability + 1e-12
    })
    if (verdict.path.some(({ lower }) => lower !== null)) tally.looked += probabilityOf(way)
    if (isTooHigh) tally.tooHigh += probabilityOf(way)
    if (verdict.kind !== 'act') continue
    tally.acted += probabilityOf(way)
    tally.wrong += probabilityOf(way) * (1 - chanceRight(way, verdict.round, chance))
  }
  return tally
}

function probabilityOf(way: number): number {
  return WAYS[way]?.probability ?? 0
}

/** Probability that the panel's answer after a round is right. */
function chanceRight(at: number, round: number, chance: number): number {
  const way = WAYS[at]
  if (way === undefined) throw new Error(`there is no way ${at}`)
  return (way.votes[round - 1] ?? 0) >= 2 ? chanceOfA(way, chance) : 1 - chanceOfA(way, chance)
}

function chanceOfA({ votes: [, last] }: Way, chance: number): number {
  return last >= 2 ? chance : 1 - chance
}

function drawWay(random: Random): Way {
  let left = random()
  for (const way of WAYS) {
    left -= way.probability
    if (left < 0) return way
  }
  throw new Error('the probabilities must sum to 1')
}

function binomial(successes: number, chance: number): number {
  return ([1, 3, 3, 1][successes] ?? 0) * chance ** successes * (1 - chance) ** (3 - successes)
}
