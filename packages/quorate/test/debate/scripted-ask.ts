import type { AgentAnswer, AgentCall, Ask } from '../../src/debate/ask.ts'
import { loadPrompts } from '../../src/debate/load-prompts.ts'
import type { AgentPlan, PanelPlan } from '../../src/debate/panel.ts'
import type { ModelReply } from '../../src/model/model.ts'
import type { Question } from '../../src/record/question.ts'
import { inForm } from '../fake-provider/in-form.ts'

export const QUESTION: Question = {
  id: 'q1',
  question: 'Which city lies on the Tiber?',
  options: [
    { name: 'A', text: 'Paris' },
    { name: 'B', text: 'London' },
    { name: 'C', text: 'Rome' },
  ],
  gold: 'C',
  group: 'rivers',
}

export function panelOf(names: readonly string[], changes: Partial<PanelPlan> = {}): PanelPlan {
  return {
    protocol: 'debate',
    rounds: 2,
    sizes: null,
    elicitation: 'vote',
    samples: 1,
    agents: names.map(agentPlan),
    prompts: loadPrompts(),
    ...changes,
  }
}

export function replyOf(text: string, changes: Partial<ModelReply> = {}): AgentAnswer {
  const usage = { inputTokens: 10, outputTokens: 2 }
  const reply = { text, finish: 'stop', usage, servedModel: null, logprobs: null, warnings: [] } as const
  return { kind: 'reply', reply: { ...reply, ...changes } }
}

/** An answer in the form that the call asks for. */
export function answerTo({ messages }: AgentCall, answer: string, reasoning?: string): AgentAnswer {
  const asked = messages.at(-1)?.content ?? ''
  return replyOf(inForm(asked, { answer, ...(reasoning === undefined ? {} : { reasoning }) }))
}

/** Answers from a function and keeps the calls in the order of arrival. */
export function scriptedAsk(script: (call: AgentCall) => AgentAnswer): {
  readonly ask: Ask
  readonly calls: AgentCall[]
} {
  const calls: AgentCall[] = []
  return {
    calls,
    ask: async (call) => {
      calls.push(call)
      return script(call)
    },
  }
}

function agentPlan(name: string): AgentPlan {
  return { name, model: `scripted/${name}`, temperature: 0.7, maxOutputTokens: 2048 }
}
