import type { ReviewRule } from '../record/review-rules.ts'
import type { Answers } from '../record/task.ts'
import type { ElicitationName } from './elicit/elicitations.ts'

/** Which agents debate, and how. */
export interface PanelPlan {
  readonly protocol: 'debate' | 'growing-panel'
  /** Number of rounds; for a growing panel the number of sizes. */
  readonly rounds: number
  /** Number of agents polled up to each round of a growing panel; null for a debate. */
  readonly sizes: readonly number[] | null
  readonly elicitation: ElicitationName
  /** Answers per agent and round under `samples`. */
  readonly samples: number
  readonly agents: readonly AgentPlan[]
  readonly prompts: PanelPrompts
  /** The possible answers, the same for every question; absent: every question has its own options. */
  readonly answers?: Answers | undefined
  /** Rules for questions that go to a person without asking the panel. */
  readonly alwaysReview?: readonly ReviewRule[] | undefined
  /** Decides whether two answers of kind judged are the same. */
  readonly judge?: JudgePlan | undefined
  /** Decides whether the panel's answers are right, in runs that only debate. */
  readonly grader?: JudgePlan | undefined
}

export interface AgentPlan {
  readonly name: string
  /** `provider/name`. */
  readonly model: string
  readonly temperature: number | null
  readonly maxOutputTokens: number
}

/** A model that judges answers. */
export interface JudgePlan extends AgentPlan {
  /** A template with the placeholders {question}, {responses} and {form}. */
  readonly prompt: string
}

/**
 * Templates with placeholders such as {question} and {options}, from the files under prompts/ unless the config names others.
 */
export interface PromptTemplates {
  readonly firstRound: string
  readonly laterRound: string
  readonly reminder: string
}

/** The templates, with the value of the placeholder {instruction}; absent: it is empty. */
export interface PanelPrompts extends PromptTemplates {
  readonly instruction?: string | undefined
}
