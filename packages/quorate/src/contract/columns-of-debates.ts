import { isRightAt, type ReadDebate, type ReadDebates } from '@quorate/certificate'
import { ANSWER_CODES, type DebateColumns, LABEL_CODES } from './operating-point.ts'

/**
 * Turns debates, read as their certificate reads them, into columns. Each must have at least `rounds` rounds; later rounds are
 * left out. `isRepresentative` returns whether the debate with an id represents the population.
 */
export function columnsOfDebates(
  read: { readonly debates: readonly ReadDebate[] },
  rounds: number,
  isRepresentative: (id: string) => boolean,
): DebateColumns {
  const steps = columnSteps(read, rounds, isRepresentative)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Debates per step. */
const AT_ONCE = 500

/** The same in steps, so that a server can answer other requests between them. */
export function* columnSteps(
  { debates }: { readonly debates: readonly ReadDebate[] },
  rounds: number,
  isRepresentative: (id: string) => boolean,
): Generator<undefined, DebateColumns> {
  const agents = [...new Set(debates.flatMap(({ record }) => record.rounds.flatMap((round) => [...round.agents])))]
  const lists = new Map<string, number>()
  const optionLists: string[][] = []
  const [options, right, answers]: [number[], number[], number[]] = [[], [], []]
  const beliefs: (number | null)[] = []
  const columns = {
    ids: debates.map(({ record }) => record.id),
    isRepresentative: debates.map(({ record }) => isRepresentative(record.id)),
    agents,
    rounds,
    optionLists,
    options,
    groups: debates.map(({ record }) => record.group),
    gold: debates.map(goldOf),
    right,
    beliefs,
    answers,
  }
  for (const [row, debate] of debates.entries()) {
    const { record } = debate
    if (row % AT_ONCE === AT_ONCE - 1) yield
    const key = JSON.stringify(record.options)
    const list = lists.get(key) ?? columns.optionLists.push([...record.options]) - 1
    lists.set(key, list)
    columns.options.push(list)
    for (let round = 1; round <= rounds; round++) columns.right.push(Number(isRightAt(debate, round)))
    for (const round of record.rounds.slice(0, rounds)) addRound(columns, round, record.options.length)
  }
  return columns
}

/** `graded` if no single option is the right one: then only `right` states which rounds are right. */
function goldOf({ record: { gold, truth } }: ReadDebate): number {
  if (truth === null) return LABEL_CODES.unlabelled
  if (truth.kind === 'unjudged') return LABEL_CODES.unjudged
  return gold !== null && truth.kind === 'options' && truth.options.length === 1 ? gold : LABEL_CODES.graded
}

function addRound(
  columns: { readonly agents: readonly string[]; readonly beliefs: (number | null)[]; readonly answers: number[] },
  round: ReadDebates['debates'][number]['record']['rounds'][number],
  options: number,
): void {
  for (const agent of columns.agents) {
    const seat = round.agents.indexOf(agent)
    const own = round.beliefs.subarray(seat * options, (seat + 1) * options)
    const vote = seat < 0 ? ANSWER_CODES.notAsked : (round.votes[seat] ?? ANSWER_CODES.abstained)
    columns.answers.push(vote)
    // A turn without a vote is either an abstention, whose beliefs are uniform, or a tie, whose beliefs must be kept.
    const isSilent = seat < 0 || (vote === ANSWER_CODES.abstained && own.every((belief) => belief === 1 / options))
    for (let option = 0; option < options; option++) columns.beliefs.push(isSilent ? null : (own[option] ?? null))
  }
}
