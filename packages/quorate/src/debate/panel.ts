import type { ReviewRule } from '../record/review-rules.ts'
import type { Answers } from '../record/task.ts'
import type { ElicitationName } from './elicit/elicitations.ts'

/** Who debates and how. */
export interface PanelPlan {
  readonly protocol: 'debate' | 'growing-panel'
  /** T; for a growing panel the number of sizes. */
  readonly rounds: number
  /** Agents polled up to each round of a growing panel; null for a debate. */
  readonly sizes: readonly number[] | null
  readonly elicitation: ElicitationName
  /** Answers per agent and round under `samples`. */
  readonly samples: number
  readonly agents: readonly AgentPlan[]
  readonly prompts: PanelPrompts
  /** Which answers there are, the same for every question; absent: every question brings its options. */
  readonly answers?: Answers | undefined
  /** Questions that the panel is not asked: they go to a person. */
  readonly alwaysReview?: readonly ReviewRule[] | undefined
  /** Says whether two answers of kind judged are the same. */
  readonly judge?: JudgePlan | undefined
  /** Says whether the panel's answers are right, in runs that only debate. */
  readonly grader?: JudgePlan | undefined
}

export interface AgentPlan {
  readonly name: string
  /** `provider/name`. */
  readonly model: string
  readonly temperature: number | null
  readonly maxOutputTokens: number
}

/** A model that is asked about answers. */
export interface JudgePlan extends AgentPlan {
  /** A template with the places {question}, {responses} and {form}. */
  readonly prompt: string
}

/** Texts with places such as {question} and {options}; the files under prompts/ unless the config names others. */
export interface PromptTemplates {
  readonly firstRound: string
  readonly laterRound: string
  readonly reminder: string
}

/** The templates with what stands at the place {instruction}; absent: nothing. */
export interface PanelPrompts extends PromptTemplates {
  readonly instruction?: string | undefined
}
