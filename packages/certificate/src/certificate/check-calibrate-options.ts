import { readObject } from '../beliefs/json-value.ts'
import { argument, inside, refusal } from '../beliefs/place.ts'
import { CertificateError } from '../certificate-error.ts'
import { choice, onlyNames } from '../choice.ts'
import { KNN_OPTION_NAMES } from '../knn/knn-options.ts'
import type { CalibrateOptions } from './calibrate.ts'

const WHERE = 'calibrate'
const NAMES = [
  ...['profile', 'budget', 'split', 'beliefs', 'state', 'cells', 'questionOf', 'groupConditional', 'groupLevel'],
  ...['seed', 'weights', 'models', 'prompts', 'settings', 'reader', 'deferredGroups', 'trustGrades'],
  ...KNN_OPTION_NAMES,
]

/** Checks the options that no later step checks, and copies those that the certificate keeps. */
export function checkCalibrateOptions(options: CalibrateOptions): CalibrateOptions {
  onlyNames(WHERE, options, NAMES)
  const { groupConditional, questionOf, state, prompts, reader } = options
  if (state !== undefined) checkState(state)
  if (groupConditional !== undefined && typeof groupConditional !== 'boolean') {
    throw new CertificateError(WHERE, 'groupConditional', 'true or false', groupConditional)
  }
  const trust: unknown = options.trustGrades
  if (trust !== undefined && typeof trust !== 'boolean') {
    throw new CertificateError(WHERE, 'trustGrades', 'true or false', trust)
  }
  if (questionOf !== undefined && typeof questionOf !== 'function') {
    throw new CertificateError(WHERE, 'questionOf', 'a function from id to question', questionOf)
  }
  if (prompts !== undefined && typeof prompts !== 'string') {
    throw new CertificateError(WHERE, 'prompts', 'a text', prompts)
  }
  if (reader !== undefined && !(Number.isInteger(reader) && reader >= 1)) {
    throw new CertificateError(WHERE, 'reader', 'a whole number of at least 1', reader)
  }
  const groups: unknown = options.deferredGroups
  if (groups !== undefined && !(Array.isArray(groups) && groups.every((group) => typeof group === 'string'))) {
    throw new CertificateError(WHERE, 'deferredGroups', 'a list of names of groups', groups)
  }
  // If it were ignored, the certificate would act on groups that are reserved for people.
  if (Array.isArray(groups) && groups.length > 0 && options.profile !== 'total') {
    throw new CertificateError(WHERE, 'deferredGroups', 'left out, or used with profile total', groups)
  }
  const hasScore = options.profile === 'total' || options.profile === 'cells'
  const split: unknown = options.split
  if (typeof split === 'object' && split !== null && 'folds' in split) {
    const expected = hasScore ? 'beside split.pilot and split.neighbours' : 'used with profile total or cells'
    if (!(hasScore && 'pilot' in split)) {
      throw new CertificateError(WHERE, 'split.folds', `left out, or ${expected}`, split.folds)
    }
  }
  const models = ownTexts('models', options.models, 'the name of a model')
  const settings = ownTexts('settings', options.settings, 'a text')
  return { ...options, ...(models && { models }), ...(settings && { settings }) }
}

function checkState(state: unknown): void {
  if (typeof state === 'object' && state !== null) {
    const isFunction = 'of' in state && typeof state.of === 'function'
    if (isFunction && 'name' in state && typeof state.name === 'string') return
    throw new CertificateError(WHERE, 'state', 'a name, or { name, of } with a function', state)
  }
  choice(WHERE, 'state', state, ['learned', 'paper', 'paper-1d', 'paper-3d', 'paper-4d', 'support-path'])
}

function ownTexts(parameter: string, texts: unknown, expected: string): Readonly<Record<string, string>> | undefined {
  if (texts === undefined) return undefined
  const place = argument(WHERE, parameter)
  const named = Object.entries(readObject(texts, place)).map(([name, text]): [string, string] => {
    if (typeof text === 'string') return [name, text]
    throw refusal(inside(place, name), expected, text)
  })
  return Object.freeze(Object.fromEntries(named))
}
