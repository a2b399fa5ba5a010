import { z } from 'zod'
import { refusal } from '../../../files/file-error.ts'
import { parsedAs, readJsonFile } from '../../../questions/parsed-json.ts'
import { plainText } from '../../../text/plain-text.ts'
import { type AnsweredQuestion, type LoggedAnswer, optionIn } from './logged-answer.ts'

/**
 * `scenario_state.json` of a HELM run (stanford-crfm/helm, `src/helm/benchmark/adaptation/request_state.py`). Only tasks whose
 * options have letters are read (`multiple_choice_joint`): `output_mapping` has the options, and the reference with the tag
 * `correct` is the right one.
 */
const stateSchema = z.looseObject({
  adapter_spec: z.looseObject({
    method: z.literal('multiple_choice_joint'),
    model: z.string().optional(),
    model_deployment: z.string().optional(),
    temperature: z.number().optional(),
    max_tokens: z.number().optional(),
    num_outputs: z.number().optional(),
    max_train_instances: z.number().optional(),
  }),
  request_states: z.array(z.unknown()).min(1),
})

const requestSchema = z.looseObject({
  instance: z.looseObject({
    input: z.looseObject({ text: z.string().min(1) }),
    references: z.array(
      z.looseObject({ output: z.looseObject({ text: z.string() }), tags: z.array(z.string()).default([]) }),
    ),
    perturbation: z.unknown().optional(),
  }),
  train_trial_index: z.int().min(0).default(0),
  output_mapping: z.record(z.string(), z.string()),
  result: z.looseObject({ completions: z.array(z.looseObject({ text: z.string() })) }).nullish(),
})

export async function* helmAnswers(path: string): AsyncGenerator<LoggedAnswer> {
  const name = plainText(path)
  const { adapter_spec: spec, request_states: requests } = parsedAs(stateSchema, await readJsonFile(path), name)
  const model = spec.model_deployment ?? spec.model
  if (model === undefined || model === '') throw refusal(`${name}: adapter_spec.model`, 'the name of a model', model)
  const { temperature, max_tokens, num_outputs, max_train_instances } = spec
  const settings = { temperature, max_tokens, num_outputs, max_train_instances }
  for (const [index, value] of requests.entries()) {
    const place = `${name}: request_states[${index}]`
    const request = parsedAs(requestSchema, value, place)
    // A perturbed input is another question, asked to test robustness.
    if ((request.instance.perturbation ?? null) !== null) continue
    yield { model, group: null, settings, epoch: request.train_trial_index + 1, place, ...answerOf(request, place) }
  }
}

function answerOf(
  { instance, output_mapping, result }: z.infer<typeof requestSchema>,
  place: string,
): AnsweredQuestion {
  const options = Object.entries(output_mapping).map(([name, text]) => ({ name, text }))
  if (options.length < 2) throw refusal(`${place}: output_mapping`, 'two options or more', output_mapping)
  const right = instance.references.filter(({ tags }) => tags.includes('correct')).map(({ output }) => output.text)
  const correct = options.filter(({ text }) => right.includes(text)).map(({ name }) => name)
  if (correct.length === 0) {
    throw refusal(`${place}: instance.references`, 'one with the tag "correct" that is an option', instance.references)
  }
  const answer = optionIn(result?.completions[0]?.text ?? '', options)
  return { question: instance.input.text, options, correct, answer }
}
