import { CertificateError, compareCodePoints } from '@quorate/certificate'
import { type AnswerClasses, answerClasses, equivalenceOf } from '../answers/equivalence.ts'
import { haltReason } from '../model/aborted-error.ts'
import { JUDGE } from '../record/judge-settings.ts'
import { LIMITS } from '../record/limits.ts'
import type { Question } from '../record/question.ts'
import { openAnswers } from '../record/task.ts'
import type { AgentAnswer, Ask } from './ask.ts'
import { type DebateSoFar, type DebateTurn, debateSoFar } from './debate-record.ts'
import { ELICITATIONS, OPEN_ELICITATIONS } from './elicit/elicitations.ts'
import { answerJudge, JudgeStopped, type Judging } from './judge.ts'
import type { AgentPlan, PanelPlan } from './panel.ts'
import { checkTemplate } from './prompt-template.ts'
import type { OpenForm } from './reply/parsed-answer.ts'
import { type TurnOutcome, takeTurn } from './take-turn.ts'

export interface DebateOptions {
  readonly question: Question
  readonly panel: PanelPlan
  readonly ask: Ask
  /** Seed of the run, a whole number. */
  readonly seed: number
  /** Called after every round, also the last. It may end the debate. Default: every round takes place. */
  readonly afterRound?: (debate: DebateSoFar) => RoundVerdict | Promise<RoundVerdict>
  /** Wraps each turn of an agent. Default: nothing is done around it. */
  readonly aroundTurn?: AroundTurn | undefined
  /** No further round begins after it has aborted. `ask` is responsible for calls in flight. */
  readonly signal?: AbortSignal
  /** Called with every reply of a judge. */
  readonly onJudged?: Judging['onJudged']
}

export type AroundTurn = <Result>(
  turn: { readonly agent: string; readonly round: number },
  work: () => Promise<Result>,
) => Promise<Result>

export type RoundVerdict = { readonly kind: 'continue' } | { readonly kind: 'stop'; readonly reason: string }

export type HaltReason = Extract<AgentAnswer, { kind: 'halted' }>['reason']

/** `debate` has only the finished rounds. */
export type DebateOutcome =
  | { readonly kind: 'complete'; readonly debate: DebateSoFar }
  | { readonly kind: 'stopped'; readonly reason: string; readonly debate: DebateSoFar }
  | {
      readonly kind: 'agent-failure'
      readonly agent: string
      readonly round: number
      readonly reason: string
      readonly debate: DebateSoFar
    }
  | { readonly kind: 'halted'; readonly reason: HaltReason; readonly debate: DebateSoFar }

/**
 * Takes a question through all rounds of a panel. The debate depends only on the options and on the replies of `ask`: there is
 * no clock and no randomness.
 */
export async function runDebate(options: DebateOptions): Promise<DebateOutcome> {
  const { question, panel, afterRound, signal } = options
  checkPanel(panel, question)
  const rounds: (readonly DebateTurn[])[] = []
  const open = openAnswers(panel.answers)
  const judgedBy: (readonly string[])[] = []
  let served = new Set<string>()
  const judge = answerJudge({
    ...options,
    onJudged(turn) {
      for (const id of turn.served ?? []) served.add(id)
      options.onJudged?.(turn)
    },
  })
  const rules = open && equivalenceOf(open, judge.isSame)
  const classes = open && rules && answerClasses(rules, open.classes)
  // A right answer in words is compared by rule. With judged answers or a grader, grades decide what is right instead: the
  // judge that compares answers never sees the right one.
  const hasExactGold = question.goldText !== undefined && open?.kind !== 'judged' && panel.grader === undefined
  let correct: readonly string[] | null = hasExactGold ? [] : null
  const soFar = () => debateSoFar(question, rounds, { correct, judgedBy: open?.kind === 'judged' ? judgedBy : null })
  for (let round = 1; round <= panel.rounds; round++) {
    if (signal?.aborted === true) return halted(haltReason(signal), soFar())
    const asked = agentsAsked(panel, round)
    const form = rules === null ? undefined : { ...rules, isPlain: open?.kind === 'number' }
    const turns = beginTurns(options, round, asked, rounds.at(-1) ?? null, form)
    const outcomes = valuesOf(await Promise.allSettled(turns))
    const failure = failureOf(outcomes, asked)
    if (failure?.kind === 'halted') return halted(failure.reason, soFar())
    if (failure !== null) return { ...failure, round, debate: soFar() }
    const answered = outcomes.flatMap((outcome) => (outcome.kind === 'turn' ? [outcome.turn] : []))
    judge.begin(round)
    served = new Set()
    const kept = classes === null ? answered : await placed(answered, classes)
    if (kept instanceof JudgeStopped) return judgeFailure(kept, round, soFar())
    if (classes !== null && hasExactGold) correct = await classes.sameAs(question.goldText ?? '')
    judgedBy.push([...served].sort(compareCodePoints))
    rounds.push(panel.protocol === 'growing-panel' ? [...(rounds.at(-1) ?? []), ...kept] : kept)
    const debate = soFar()
    const verdict = (await afterRound?.(debate)) ?? { kind: 'continue' }
    if (verdict.kind === 'stop') return { kind: 'stopped', reason: verdict.reason, debate }
  }
  return { kind: 'complete', debate: soFar() }
}

async function placed(
  turns: readonly DebateTurn[],
  classes: AnswerClasses,
): Promise<readonly DebateTurn[] | JudgeStopped> {
  try {
    return await inClasses(turns, classes)
  } catch (error) {
    if (error instanceof JudgeStopped) return error
    throw error
  }
}

function judgeFailure({ failure }: JudgeStopped, round: number, debate: DebateSoFar): DebateOutcome {
  if (failure.kind === 'halted') return halted(failure.reason, debate)
  return { kind: 'agent-failure', agent: JUDGE, round, reason: failure.reason, debate }
}

/** Places the answers in the order of the agents, each compared with the representatives of the classes so far. */
async function inClasses(turns: readonly DebateTurn[], classes: AnswerClasses): Promise<DebateTurn[]> {
  const found: DebateTurn[] = []
  for (const turn of turns) {
    const answer = typeof turn.answer_text === 'string' ? await classes.place(turn.answer_text) : null
    found.push({ ...turn, answer })
  }
  return found
}

/** Begins the turns of all agents at once. */
function beginTurns(
  options: DebateOptions,
  round: number,
  asked: readonly AgentPlan[],
  before: readonly DebateTurn[] | null,
  form: OpenForm | undefined,
): Promise<TurnOutcome>[] {
  const { question, panel, ask, seed, aroundTurn } = options
  const responses = panel.protocol === 'debate' ? before : null
  return asked.map((agent) => {
    const prompt = {
      question,
      templates: panel.prompts,
      agent: agent.name,
      round,
      responses,
      isOpen: form !== undefined,
    }
    const take = () => takeTurn({ agent, panel, prompt, ask, seed, open: form })
    return aroundTurn === undefined ? take() : aroundTurn({ agent: agent.name, round }, take)
  })
}

/** An `ask` that throws is a bug of ours. It is thrown, but only after every other call has ended. */
function valuesOf<Value>(settled: readonly PromiseSettledResult<Value>[]): readonly Value[] {
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

/** In a growing panel, only the agents that have not been polled yet. */
function agentsAsked({ protocol, agents, sizes }: PanelPlan, round: number): readonly AgentPlan[] {
  if (protocol === 'debate') return agents
  return agents.slice(sizes?.[round - 2] ?? 0, sizes?.[round - 1] ?? agents.length)
}

type RoundFailure =
  | { readonly kind: 'halted'; readonly reason: HaltReason }
  | { readonly kind: 'agent-failure'; readonly agent: string; readonly reason: string }

/** A halt takes precedence: the debate may be resumed, and an agent that was down may have recovered by then. */
function failureOf(outcomes: readonly TurnOutcome[], asked: readonly AgentPlan[]): RoundFailure | null {
  for (const outcome of outcomes) if (outcome.kind === 'halted') return { kind: 'halted', reason: outcome.reason }
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'down')
      return { kind: 'agent-failure', agent: asked[index]?.name ?? '', reason: outcome.reason }
  }
  return null
}

function halted(reason: HaltReason, debate: DebateSoFar): DebateOutcome {
  return { kind: 'halted', reason, debate }
}

/** Checks a plan that was built in code, before money is spent on it. The config has its own messages. */
function checkPanel(panel: PanelPlan, { options }: Question): void {
  const { agents, rounds, sizes, protocol, samples, elicitation, prompts } = panel
  const names = new Set(agents.map(({ name }) => name))
  if (agents.length === 0) throw refused('agents', 'at least one agent', agents)
  if (names.size !== agents.length) throw refused('agents', 'agents with unique names', agents)
  if (agents.length > LIMITS.agents) throw refused('agents', `at most ${LIMITS.agents} agents`, agents)
  if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= LIMITS.rounds)) {
    throw refused('rounds', `a whole number from 1 to ${LIMITS.rounds}`, rounds)
  }
  if (
    ELICITATIONS[elicitation].isRepeated &&
    !(Number.isInteger(samples) && samples >= 1 && samples <= LIMITS.samples)
  ) {
    throw refused('samples', `a whole number from 1 to ${LIMITS.samples}`, samples)
  }
  if (protocol === 'growing-panel') checkSizes(panel, sizes ?? [])
  const turns = protocol === 'debate' ? agents.length * rounds : (sizes ?? []).reduce((sum, size) => sum + size, 0)
  if (!(turns * options.length <= LIMITS.beliefs)) {
    throw refused('rounds', `of at most ${LIMITS.beliefs} turns times options`, turns * options.length)
  }
  const isOpen = openAnswers(panel.answers) !== null
  if (isOpen && !ELICITATIONS[elicitation].readsOpenAnswers) {
    throw refused('elicitation', `${OPEN_ELICITATIONS} for open answers`, elicitation)
  }
  checkTemplate('firstRound', prompts.firstRound, 'prompts.firstRound', isOpen)
  if (protocol === 'debate' && rounds > 1) checkTemplate('laterRound', prompts.laterRound, 'prompts.laterRound', isOpen)
  checkTemplate('reminder', prompts.reminder, 'prompts.reminder')
}

function checkSizes({ rounds, agents }: PanelPlan, sizes: readonly number[]): void {
  const isGrowing = sizes.every((size, index) => Number.isInteger(size) && size > (sizes[index - 1] ?? 0))
  if (!isGrowing || sizes.length !== rounds) throw refused('sizes', `${rounds} whole numbers that grow`, sizes)
  if ((sizes.at(-1) ?? 0) > agents.length) throw refused('sizes', `at most ${agents.length}, the agents`, sizes.at(-1))
}

function refused(parameter: string, expected: string, received: unknown): CertificateError {
  return new CertificateError('runDebate', `panel.${parameter}`, expected, received)
}
