import {
  type Experimental_DecisionModelV4Answer as DecisionAnswer,
  type Experimental_DecisionModelV4 as DecisionModel,
  type Experimental_DecisionModelV4CallOptions as DecisionOptions,
  type Experimental_DecisionModelV4Question as DecisionQuestion,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { askPanel, type PanelSettings } from './ask-panel.ts'

/*
 * The contract of decision models is experimental and may change in patch releases. Therefore only this file uses it, and the
 * version of @ai-sdk/provider is exact. Earlier releases called it an evaluation model.
 */

/** The panel as a decision model, for `experimental_decide`. It answers choices only, and may defer to a person. */
export function panelDecisionModel(modelId: string, settings: PanelSettings): DecisionModel {
  return {
    specificationVersion: 'v4',
    provider: 'quorate',
    modelId,
    supportedQuestionTypes: ['choice'],
    async doDecide(options) {
      const named = await Promise.all(
        Object.entries(options.questions).map(async ([name, question]) => {
          return [name, await answerOf(modelId, settings, name, question, options)] as const
        }),
      )
      return { answers: Object.fromEntries(named), warnings: [] }
    },
  }
}

async function answerOf(
  modelId: string,
  settings: PanelSettings,
  name: string,
  question: DecisionQuestion,
  options: DecisionOptions,
): Promise<DecisionAnswer> {
  const { type, instructions } = question
  if (type !== 'choice') throw new UnsupportedFunctionalityError({ functionality: `questions of the type ${type}` })
  const given = options.providerOptions?.['quorate'] ?? {}
  const choices = Object.entries(question.criteria).map(([option, text]) => {
    return text === null ? { const: option } : { const: option, description: textOf(text) }
  })
  const instruction = instructions === undefined || instructions === null ? [] : [textOf(instructions)]
  const content = [...instruction, ...options.state.map(stateText)].join('\n\n')
  const { content: answer } = await askPanel(settings, {
    model: modelId,
    messages: [{ role: 'user', content }],
    schema: { type: 'object', properties: { choice: { anyOf: choices } } },
    // Questions with the same id are one question to the server, so the name is added.
    id: typeof given['id'] === 'string' ? `${given['id']}/${name}` : undefined,
    group: typeof given['group'] === 'string' ? given['group'] : undefined,
    headers: options.headers,
    signal: options.abortSignal,
  })
  if (answer === null) return { type: 'refusal' }
  const { choice } = JSON.parse(answer)
  if (typeof choice === 'string' && Object.hasOwn(question.criteria, choice)) return { type: 'choice', choice }
  throw new Error(`quorate: expected one of the options, got ${JSON.stringify(choice)}`)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function stateText(part: DecisionOptions['state'][number]): string {
  if (part.type === 'text') return part.text
  if (part.type === 'json') return JSON.stringify(part.value)
  throw new UnsupportedFunctionalityError({ functionality: 'files in the state' })
}
