import { readObject } from '../beliefs/json-value.ts'
import { argument, inside, refusal } from '../beliefs/place.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice, onlyNames } from '../choice.ts'
import { KNN_OPTION_NAMES } from '../knn/knn-options.ts'
import type { CalibrateOptions } from './calibrate.ts'

const WHERE = 'calibrate'
const NAMES = [
  ...['profile', 'budget', 'split', 'beliefs', 'state', 'cells', 'questionOf', 'groupConditional', 'groupLevel'],
  ...['seed', 'weights', 'models', 'prompts'],
  ...KNN_OPTION_NAMES,
]

/** The options that no later step checks, checked; what the certificate keeps of them is its own. */
export function checkCalibrateOptions(options: CalibrateOptions): CalibrateOptions {
  onlyNames(WHERE, options, NAMES)
  const { groupConditional, questionOf, state, prompts } = options
  if (state !== undefined) checkState(state)
  if (groupConditional !== undefined && typeof groupConditional !== 'boolean') {
    throw new CertificateError(WHERE, 'groupConditional', 'true or false', groupConditional)
  }
  if (questionOf !== undefined && typeof questionOf !== 'function') {
    throw new CertificateError(WHERE, 'questionOf', 'a function from id to question', questionOf)
  }
  if (prompts !== undefined && typeof prompts !== 'string') {
    throw new CertificateError(WHERE, 'prompts', 'a text', prompts)
  }
  return options.models === undefined ? options : { ...options, models: ownModels(options.models) }
}

function checkState(state: unknown): void {
  if (typeof state === 'object' && state !== null) {
    const isFunction = 'of' in state && typeof state.of === 'function'
    if (isFunction && 'name' in state && typeof state.name === 'string') return
    throw new CertificateError(WHERE, 'state', 'a name, or { name, of } with a function', state)
  }
  choice(WHERE, 'state', state, ['learned', 'paper', 'paper-1d', 'paper-3d', 'paper-4d', 'support-path'])
}

function ownModels(models: unknown): Readonly<Record<string, string>> {
  const place = argument(WHERE, 'models')
  const named = Object.entries(readObject(models, place)).map(([agent, model]): [string, string] => {
    if (typeof model === 'string') return [agent, model]
    throw refusal(inside(place, agent), 'the name of a model', model)
  })
  return Object.freeze(Object.fromEntries(named))
}
