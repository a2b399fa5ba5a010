import { canonicalJson } from '../../canonical/canonical-json.ts'
import { CertificateError } from '../../certificate-error.ts'
import { KINDS_PER_ROUND } from '../../kinds/kind.ts'
import { LIMITS } from '../../limits.ts'
import { widthOf } from '../../scores/features.ts'
import type { RoundModel } from '../../scores/round-model.ts'
import { CANDIDATES, SCORE_NAMES, type Score, type ScorePart } from '../../scores/score.ts'
import { type KindClass, testsOf } from '../../total/classes.ts'
import { designTotal, type TotalDesign } from '../../total/design.ts'
import { questionRuns } from '../../total/exact-tests.ts'
import { resolvePromise } from '../../total/promise.ts'
import { type PredictedAnswers, renumbered, type StoppingRows } from '../../total/stopping-rows.ts'
import { type TotalCertificate, totalCertificate } from '../total-certificate.ts'
import type { FileReader } from './file-reader.ts'
import { loadBudget, loadFingerprint, loadPanel, loadSplit } from './load-parts.ts'
import { outcomesByName } from './total-file.ts'

/**
 * Reads the design and the rows, computes the design and the counts again, and refuses a file that disagrees with its
 * own rows.
 */
export function loadTotal(file: FileReader): TotalCertificate {
  const { ids, score, rounds, split, neighbourGroups } = loadScored(file)
  const budget = loadBudget(file.at('budget'))
  const { floor, answers } = resolvePromise('loadCertificate', { beta: budget.beta, ...budget.total })
  const design = loadDesign(file.at('design'), rounds, answers.length)
  if (design.least !== (floor ?? 0))
    throw file
      .at('design')
      .at('least')
      .refusal(`the floor, ${floor ?? 0}`)
  const pilot = loadRows(file.at('pilot'), split.pilot.length, rounds)
  const neighbours = loadRows(file.at('neighbours'), split.neighbours.length, rounds)
  const certificate = totalCertificate({
    budget,
    design,
    score,
    split,
    pilot,
    neighbours,
    neighbourGroups,
    groupConditional: file.at('groupConditional').flag(),
    deferredGroups: file.at('deferredGroups').textList(),
    panel: loadPanel(file.at('panel')),
    ids,
    fingerprint: loadFingerprint(file.at('fingerprint')),
  })
  refuseOtherDesign(file, design, designTotal(pilot, neighbours.rows, certificate.promise))
  const stored = Object.fromEntries(
    Object.keys(file.at('outcomes').object()).map((group) => [group, file.at('outcomes').at(group).value]),
  )
  const counted = outcomesByName(certificate.outcomes)
  if (comparable(stored) !== comparable(counted)) {
    throw new CertificateError(
      'loadCertificate',
      'outcomes',
      'what the rows of the file give when they are counted again: calibrate again',
      'other counts',
    )
  }
  return certificate
}

/**
 * Every promise is about a design that pilot rows fixed. A design chosen by the counted labels could agree with its
 * counts, so the stored design is not trusted.
 */
export function refuseOtherDesign(file: FileReader, stored: object, given: object): void {
  if (comparable(stored) !== comparable(given)) {
    throw file.at('design').refusal('what the pilot rows give: calibrate again')
  }
}

/**
 * Numbers are compared to nine significant digits, since engines may differ in the last bit of a logarithm or a power.
 * Counts are exact.
 */
function comparable(content: object): string {
  return canonicalJson(
    JSON.parse(
      JSON.stringify(content, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)),
    ),
  )
}

/** The parts that certificates with a learned score share. */
export function loadScored(file: FileReader) {
  const ids = file.at('ids').textList()
  const score = loadScore(file.at('score'))
  const split = loadSplit(file.at('split'), ids.length)
  const neighbourGroups = file.at('neighbourGroups').optional((list) => list.textList())
  if (neighbourGroups !== null && neighbourGroups.length !== split.neighbours.length) {
    throw file.at('neighbourGroups').refusal(`of ${split.neighbours.length} rows`)
  }
  return { ids, score, rounds: score.layout.agents.length, split, neighbourGroups }
}

function loadScore(file: FileReader): Score {
  const layout = {
    agents: file
      .at('layout')
      .at('agents')
      .list()
      .map((names) => names.optional((list) => list.textList())),
    groups: file.at('layout').at('groups').textList(),
  }
  const rounds = layout.agents.length
  if (!(rounds >= 1 && rounds <= LIMITS.rounds))
    throw file.at('layout').at('agents').refusal(`of 1 to ${LIMITS.rounds} rounds`)
  const parts = file
    .at('parts')
    .list()
    .map((part): ScorePart => {
      const candidate = part.at('candidate').oneOf(CANDIDATES)
      const models = part.at('models').list()
      if (models.length !== rounds) throw part.at('models').refusal(`of ${rounds} rounds`)
      const groupColumns = candidate === 'with-groups' || candidate === 'ridge' ? layout.groups.length : 0
      return {
        candidate,
        weight: part.at('weight').finite(),
        models: models.map((model, at) => {
          const seen = candidate === 'two-features' ? 2 : widthOf(layout, at + 1)
          return loadModel(model, seen + Number(at > 0) + groupColumns)
        }),
      }
    })
  if (parts.length === 0) throw file.at('parts').refusal('one part or more')
  return { layout, name: file.at('name').oneOf(SCORE_NAMES), parts }
}

function loadModel(file: FileReader, columns: number): RoundModel {
  const kind = file.at('kind').oneOf(['constant', 'logistic', 'trees'])
  if (kind === 'constant') return { kind, probability: file.at('probability').finite() }
  if (kind === 'trees') {
    const trees = file.at('trees').list()
    return { kind, baseline: file.at('baseline').finite(), trees: trees.map((tree) => loadTree(tree, columns)) }
  }
  const model = {
    means: file.at('means').finiteList(),
    scales: file.at('scales').finiteList(),
    weights: file.at('weights').finiteList(),
  }
  for (const name of ['means', 'scales', 'weights'] as const) {
    if (model[name].length !== columns) throw file.at(name).refusal(`${columns} numbers`)
  }
  if (model.scales.some((scale) => !(scale > 0))) throw file.at('scales').refusal('greater than 0')
  return { kind, ...model, intercept: file.at('intercept').finite() }
}

/** Checks a tree node by node. A tree with an index outside of itself could loop forever. */
function loadTree(file: FileReader, columns: number): number[] {
  const nodes = file.finiteList()
  const end = (at: number): number => {
    const column = nodes[at]
    if (column === -1 && at + 1 < nodes.length) return at + 2
    const isBranch = Number.isInteger(column) && column! >= 0 && column! < columns
    if (!isBranch) throw file.refusal('a tree in preorder')
    const second = end(at + 3)
    if (nodes[at + 2] !== second) throw file.refusal('a tree in preorder')
    return end(second)
  }
  if (end(0) !== nodes.length) throw file.refusal('a tree in preorder')
  return nodes
}

function loadDesign(file: FileReader, rounds: number, answers: number): TotalDesign {
  const kinds = (list: FileReader) => {
    const codes = list.finiteList()
    const isKind = (code: number) => Number.isInteger(code) && code >= 0 && code < rounds * KINDS_PER_ROUND
    if (!codes.every(isKind)) throw list.refusal(`kinds of ${rounds} rounds`)
    return codes
  }
  const cutsOf = (cuts: FileReader) => {
    const numbers = Array.from(cuts.finiteOrNullList(), (cut) => (Number.isNaN(cut) ? Infinity : cut))
    if (numbers.length !== rounds) throw cuts.refusal(`of ${rounds} rounds`)
    return numbers
  }
  const policies = file.at('policies').list().map(cutsOf)
  const ownCuts = file
    .at('ownCuts')
    .list()
    .map((policy) => policy.list().map(cutsOf))
  const isWhole = ownCuts.length === (answers === 0 ? 0 : policies.length)
  if (!isWhole || ownCuts.some((policy) => policy.length !== answers)) {
    throw file.at('ownCuts').refusal(`the cuts of ${answers} answers for each policy`)
  }
  if (policies.length === 0) throw file.at('policies').refusal('one policy or more')
  const classes = file
    .at('classes')
    .list()
    .map((each) => ({ kinds: kinds(each.at('kinds')), vetoable: kinds(each.at('vetoable')) }))
  const members = classes.flatMap((each) => each.kinds)
  const isSound = ({ kinds, vetoable }: KindClass) =>
    kinds.length > 0 && vetoable.every((kind) => kinds.includes(kind)) && new Set(vetoable).size === vetoable.length
  if (new Set(members).size !== members.length || !classes.every(isSound)) {
    throw file.at('classes').refusal('classes that share no kind, each with its own vetoable kinds')
  }
  const tests = policies.length * classes.reduce((sum, each) => sum + testsOf(each), 0)
  if (file.at('tests').integer() !== tests) throw file.at('tests').refusal(`${tests}, as many as could ever be asked`)
  return { least: file.at('least').finite(), blocked: kinds(file.at('blocked')), policies, ownCuts, classes, tests }
}

export function loadRows(file: FileReader, rows: number, rounds: number): StoppingRows {
  const scores = Float64Array.from(file.at('scores').finiteList())
  const kinds = Uint16Array.from(file.at('kinds').finiteList())
  const excluded = file.at('excluded').digits()
  const right = file.at('right').digits()
  const questions = file.at('questions').optional((list) => Int32Array.from(list.finiteList()))
  const cells = rows * rounds
  const isWhole = [scores, kinds, excluded, right].every(({ length }) => length === cells)
  if (!isWhole || file.at('rounds').integer() !== rounds || (questions !== null && questions.length !== rows)) {
    throw file.refusal(`${rows} rows of ${rounds} rounds`)
  }
  if (kinds.some((kind, at) => Math.floor(kind / KINDS_PER_ROUND) !== at % rounds)) {
    throw file.at('kinds').refusal('each with the number of its round')
  }
  // Questions are numbered in order of first appearance, as they were written. A gap, or a row without a question,
  // would change the counts.
  if (questions !== null && renumbered([...questions]).some((number, row) => number !== questions[row])) {
    throw file.at('questions').refusal('numbered from 0 in order of first appearance')
  }
  const answers = file.at('answers').optional((each) => loadAnswers(each, cells))
  const audit = file.at('audit').optional((each) => ({
    rows: each.at('rows').digits(),
    misjudged: each.at('misjudged').digits(),
  }))
  if (audit !== null && (audit.rows.length !== rows || audit.misjudged.length !== cells)) {
    throw file.at('audit').refusal(`of ${rows} rows of ${rounds} rounds`)
  }
  return {
    rows,
    rounds,
    scores,
    kinds,
    excluded,
    right,
    questions: questions && questionRuns(questions),
    ...(answers === null ? {} : { answers }),
    ...(audit === null ? {} : { audit }),
  }
}

function loadAnswers(file: FileReader, cells: number): PredictedAnswers {
  const names = file.at('names').textList()
  const of = file.at('of').finiteList()
  const isPlace = (place: number) => Number.isInteger(place) && place >= 0 && place < names.length
  if (of.length !== cells || !of.every(isPlace)) throw file.at('of').refusal(`${cells} places among the names`)
  if (new Set(names).size !== names.length) throw file.at('names').refusal('without a repeated name')
  return { names, of: Uint16Array.from(of) }
}
