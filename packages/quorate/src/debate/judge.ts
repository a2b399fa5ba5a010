import { type BeliefReading, type Debate, type Grade, readDebates } from '@quorate/certificate'
import { GRADER, graderName, JUDGE } from '../record/judge-settings.ts'
import { areClasses, representatives } from '../record/open-answers.ts'
import type { Question, QuestionOption } from '../record/question.ts'
import type { AgentAnswer, Ask } from './ask.ts'
import type { DebateSoFar, DebateTurn } from './debate-record.ts'
import { ELICITATIONS } from './elicit/elicitations.ts'
import type { JudgePlan, PanelPlan } from './panel.ts'
import type { PriorResponse } from './render-prompt.ts'
import { takeTurn } from './take-turn.ts'

/*
 * Models that judge answers. A judge is asked like an agent: in a form that no text it is shown can forge, with one reminder,
 * by calls that are stored. Its answer depends on the texts alone, so an answered comparison is never asked again.
 */

export interface Judging {
  readonly question: Question
  readonly panel: PanelPlan
  readonly ask: Ask
  /** Seed of the run. */
  readonly seed: number
  /** Called with every reply, readable or not. */
  readonly onJudged?: ((turn: DebateTurn) => void) | undefined
}

type JudgeFailure = Exclude<AgentAnswer, { kind: 'reply' }>

/** The judge could not be asked, so the debate stops, as for an agent. */
export class JudgeStopped extends Error {
  override readonly name = 'JudgeStopped'
  readonly failure: JudgeFailure

  constructor(failure: JudgeFailure) {
    super(failure.reason)
    this.failure = failure
  }
}

const SAME: readonly QuestionOption[] = ['same', 'different'].map((name) => ({ name, text: name }))
const RIGHT: readonly QuestionOption[] = ['right', 'wrong', 'cannot tell'].map((name) => ({ name, text: name }))

/**
 * Compares the answers of one debate, round by round. Comparisons are numbered within their round in the order in which they
 * are asked. The order follows from the answers alone, so a resumed debate finds each comparison under the same number.
 */
export function answerJudge(judging: Judging): {
  begin(round: number): void
  isSame(representative: string, answer: string): Promise<boolean>
} {
  const known = new Map<string, boolean>()
  let [round, repeat] = [1, 0]
  return {
    begin(next) {
      ;[round, repeat] = [next, 0]
    },
    async isSame(representative, answer) {
      const key = JSON.stringify([representative, answer])
      const before = known.get(key)
      if (before !== undefined) return before
      const texts = [
        { agent: 'first', text: representative },
        { agent: 'second', text: answer },
      ]
      const { panel, question } = judging
      if (panel.judge === undefined) throw new Error('answerJudge: the panel has no judge')
      const asked = { judge: panel.judge, name: JUDGE, text: question.question, texts, choices: SAME }
      const judged = await choose(judging, { ...asked, round, repeat: repeat++ })
      if (judged.kind !== 'chosen') throw new JudgeStopped(judged)
      // An unreadable reply counts as different.
      const isSame = judged.choice === 'same'
      known.set(key, isSame)
      return isSame
    },
  }
}

export interface GradedAnswers {
  /** One grade for each round. `right` is null if the grader could not be asked. */
  readonly grades: readonly Grade[]
  /** Why grades are missing; null if none is missing. */
  readonly failure: JudgeFailure | null
}

/** Grades the panel's answer of each round by the model of the plan. An answer that occurs in several rounds is graded once. */
export async function gradeByModel(judging: Judging, debate: DebateSoFar): Promise<GradedAnswers> {
  const { panel, question } = judging
  const { grader } = panel
  if (grader === undefined) throw new Error('gradeByModel: the panel has no grader')
  let failure: JudgeFailure | null = null
  const grades = await gradesOf(debate, {
    by: graderName(grader.model),
    beliefs: ELICITATIONS[panel.elicitation].reading,
    async grade({ answer_text: text, round }) {
      if (failure !== null) return null
      const reference = question.goldText ?? textOf(question, question.gold)
      const texts = [
        { agent: 'answer', text },
        ...(reference === null ? [] : [{ agent: 'reference', text: reference }]),
      ]
      const asked = { judge: grader, name: GRADER, text: withOptions(question), texts, choices: RIGHT }
      const judged = await choose(judging, { ...asked, round, repeat: 0 })
      if (judged.kind !== 'chosen') {
        failure = judged
        return null
      }
      return judged.choice === 'right' ? true : judged.choice === 'wrong' ? false : null
    },
  })
  return { grades, failure }
}

/** Grades of a debate that broke off, without a call: `right` is null in each of its rounds, which never counts as right. */
export function missingGrades({ grader, elicitation }: PanelPlan, debate: DebateSoFar): Promise<readonly Grade[]> {
  if (grader === undefined) throw new Error('missingGrades: the panel has no grader')
  const by = graderName(grader.model)
  return gradesOf(debate, { by, beliefs: ELICITATIONS[elicitation].reading, grade: async () => null })
}

export interface AskedGrade {
  /** The first round with this answer, from 1. */
  readonly round: number
  /** Name of the option, or of the class. */
  readonly answer: string
  /** The answer itself for open answers, else the text of the option. */
  readonly answer_text: string
}

export interface Grader {
  readonly by: string
  /** How beliefs are read; absent: as the debate recorded them. */
  readonly beliefs?: BeliefReading
  grade(asked: AskedGrade): Promise<boolean | null>
}

/**
 * A grade for the panel's answer of each round. It names the answer, so that it never counts for another one. An answer
 * that occurs in several rounds is graded once.
 */
export async function gradesOf(debate: Debate, { by, beliefs, grade }: Grader): Promise<readonly Grade[]> {
  const bare = { ...debate, gold: null, correct: null, grades: null, audits: null }
  const [read] = readDebates([bare], beliefs === undefined ? {} : { beliefs }, 'grade').debates
  if (read === undefined) return []
  const textOfClass = representatives(debate.rounds)
  const known = new Map<string, boolean | null>()
  const grades: Grade[] = []
  for (const [at, { prediction }] of read.rounds.entries()) {
    const answer = read.record.options[prediction] ?? ''
    const answer_text = textOfClass.get(answer) ?? optionText(debate.options, answer)
    const right = known.has(answer) ? (known.get(answer) ?? null) : await grade({ round: at + 1, answer, answer_text })
    known.set(answer, right)
    grades.push({ round: at + 1, right, by, answer })
  }
  return grades
}

function optionText(options: Debate['options'], name: string): string {
  const text: unknown = Array.isArray(options) || !Object.hasOwn(options, name) ? name : Reflect.get(options, name)
  return typeof text === 'string' ? text : name
}

interface Choice {
  readonly judge: JudgePlan
  readonly name: string
  /** The question as it is shown. */
  readonly text: string
  readonly texts: readonly PriorResponse[]
  readonly choices: readonly QuestionOption[]
  readonly round: number
  readonly repeat: number
}

async function choose(
  { question, panel, ask, seed, onJudged }: Judging,
  { judge, name, text, texts, choices, round, repeat }: Choice,
): Promise<{ readonly kind: 'chosen'; readonly choice: string | null } | JudgeFailure> {
  const templates = { ...panel.prompts, firstRound: judge.prompt, laterRound: judge.prompt }
  const outcome = await takeTurn({
    agent: { ...judge, name },
    panel: { elicitation: 'vote', samples: 1 },
    prompt: {
      question: { ...question, question: text, options: choices },
      templates,
      agent: name,
      round,
      responses: texts,
    },
    ask,
    seed,
    judging: { repeat },
  })
  if (outcome.kind !== 'turn') return outcome
  onJudged?.(outcome.turn)
  return { kind: 'chosen', choice: outcome.turn.answer }
}

function textOf({ options }: Question, name: string | null): string | null {
  return options.find((option) => option.name === name)?.text ?? null
}

/** The question with its options. Classes of open answers are not options to show. */
function withOptions({ question, options }: Question): string {
  if (areClasses(options)) return question
  return [question, '', ...options.map(({ name, text }) => (name === text ? name : `${name}: ${text}`))].join('\n')
}
