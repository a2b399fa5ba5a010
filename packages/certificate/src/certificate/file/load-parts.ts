import { BELIEF_READINGS } from '../../beliefs/debate.ts'
import { type Budget, checkBudget, type TotalBudget } from '../../budget.ts'
import { type Split, splitRows } from '../../knn/split-rows.ts'
import { learnedFeatureNames } from '../../states/learned-features.ts'
import { FEWEST_FEATURES, type LearnedScore } from '../../states/learned-state.ts'
import type { Fingerprint } from '../fingerprint.ts'
import type { ResolvedReading } from '../read-debates.ts'
import type { FileReader } from './file-reader.ts'

/** Readers of parts that several kinds of certificate files share. */

export function loadBudget(file: FileReader): Budget {
  const budget = {
    beta: file.at('beta').finite(),
    delta: file.at('delta').finite(),
    epsilon: file.at('epsilon').finite(),
    ...(file.at('deltaOmega').value === undefined ? {} : { deltaOmega: file.at('deltaOmega').finite() }),
    ...(file.at('selectedUpTo').value === undefined ? {} : { selectedUpTo: file.at('selectedUpTo').finite() }),
    ...(file.at('total').value === undefined ? {} : { total: loadTotalBudget(file.at('total')) }),
  }
  checkBudget('loadCertificate', budget)
  return budget
}

function loadTotalBudget(file: FileReader): TotalBudget {
  const [kind, delta, floor, attempt] = [file.at('kind'), file.at('delta'), file.at('floor'), file.at('attempt')]
  const answers = file.at('answers')
  return {
    ...(kind.value === undefined ? {} : { kind: kind.oneOf(['pac', 'average', 'selective']) }),
    ...(delta.value === undefined ? {} : { delta: delta.finite() }),
    ...(floor.value === undefined ? {} : { floor: floor.value === 'none' ? 'none' : floor.finite() }),
    ...(answers.value === undefined ? {} : { answers: loadAnswerBudgets(answers) }),
    ...(attempt.value === undefined ? {} : { attempt: attempt.integer() }),
  }
}

/** Names are untrusted, so the object has no prototype. */
function loadAnswerBudgets(file: FileReader): Readonly<Record<string, number>> {
  const budgets: Record<string, number> = Object.create(null)
  for (const answer of Object.keys(file.object())) budgets[answer] = file.at(answer).finite()
  return budgets
}

export function loadSplit(file: FileReader, rows: number): Split {
  const split = { pilot: file.at('pilot').finiteList(), neighbours: file.at('neighbours').finiteList() }
  return splitRows('loadCertificate', rows, split, null)
}

export function loadPanel(file: FileReader): ResolvedReading {
  return {
    elicitation: file.at('elicitation').oneOf(BELIEF_READINGS),
    seed: file.at('seed').integer(),
    weights: file.at('weights').optional(numbersByName),
  }
}

export function loadFingerprint(file: FileReader): Fingerprint {
  return {
    models: file.at('models').optional(textsByName),
    prompts: file.at('prompts').optional((prompts) => prompts.text()),
    agents: file.at('agents').optional((agents) => agents.list().map((round) => round.textList())),
    panels: file.at('panels').optional((kind) => kind.oneOf(['same', 'varying'])),
    rounds: file.at('rounds').integer(),
    endsEarly: file.at('endsEarly').optional((endsEarly) => endsEarly.flag()),
    elicitation: file.at('elicitation').optional((name) => name.oneOf(BELIEF_READINGS)),
    turns: file.at('turns').optional((turns) => ({
      answered: turns.at('answered').integer(),
      missing: turns.at('missing').integer(),
      questions: turns.at('questions').integer(),
      firstMissing: turns.at('firstMissing').finite(),
    })),
    settings: file.at('settings').optional(textsByName),
    reader: file.at('reader').optional((reader) => reader.integer()),
    state: file.at('state').text(),
    methodVersion: file.at('methodVersion').integer(),
    rows: file.at('rows').text(),
  }
}

export function loadScore(file: FileReader): LearnedScore {
  const score = {
    layout: file.at('layout').optional((layout) => ({
      agents: layout.at('agents').optional((agents) => agents.textList()),
      groups: layout.at('groups').textList(),
    })),
    means: file.at('means').finiteList(),
    scales: file.at('scales').finiteList(),
    weights: file.at('weights').finiteList(),
    intercept: file.at('intercept').finite(),
  }
  const columns = score.layout === null ? FEWEST_FEATURES : learnedFeatureNames(score.layout).length
  for (const name of ['weights', 'means', 'scales'] as const) {
    if (score[name].length !== columns) throw file.at(name).refusal(`${columns} numbers`)
  }
  const flat = score.scales.findIndex((scale) => !(scale > 0))
  if (flat >= 0) throw file.at('scales').list()[flat]!.refusal('greater than 0')
  return score
}

/** Names are untrusted and may be `__proto__`, so the object has no prototype. */
function numbersByName(file: FileReader): Readonly<Record<string, number>> {
  return named(file, (value) => value.finite())
}

function textsByName(file: FileReader): Readonly<Record<string, string>> {
  return named(file, (value) => value.text())
}

function named<Value>(file: FileReader, read: (value: FileReader) => Value): Record<string, Value> {
  const found: Record<string, Value> = Object.create(null)
  for (const name of Object.keys(file.object())) found[name] = read(file.at(name))
  return found
}
