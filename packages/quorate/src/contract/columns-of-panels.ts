import { isRightAt, type Panels, type ReadPanel } from '@quorate/certificate'
import type { DebateColumns } from './operating-point.ts'

const ABSTAINED = -1
const NOT_ASKED = -2
const UNLABELLED = -1
const UNJUDGED = -2
const GRADED = -3

/**
 * Debates, read as their certificate reads them, as columns. Every one must have `rounds` rounds; later ones are left
 * out. `isRepresentative` says of an id whether the debate stands for the population.
 */
export function columnsOfPanels(
  panels: { readonly panels: readonly ReadPanel[] },
  rounds: number,
  isRepresentative: (id: string) => boolean,
): DebateColumns {
  const steps = columnSteps(panels, rounds, isRepresentative)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Debates between two steps. */
const AT_ONCE = 500

/** The same in steps, so that a server can answer others between them. */
export function* columnSteps(
  { panels }: { readonly panels: readonly ReadPanel[] },
  rounds: number,
  isRepresentative: (id: string) => boolean,
): Generator<undefined, DebateColumns> {
  const agents = [...new Set(panels.flatMap(({ record }) => record.rounds.flatMap((round) => [...round.agents])))]
  const lists = new Map<string, number>()
  const columns = {
    ids: panels.map(({ record }) => record.id),
    isRepresentative: panels.map(({ record }) => isRepresentative(record.id)),
    agents,
    rounds,
    optionLists: [] as string[][],
    options: [] as number[],
    groups: panels.map(({ record }) => record.group),
    gold: panels.map(goldOf),
    right: [] as number[],
    beliefs: [] as (number | null)[],
    answers: [] as number[],
  }
  for (const [row, panel] of panels.entries()) {
    const { record } = panel
    if (row % AT_ONCE === AT_ONCE - 1) yield
    const key = JSON.stringify(record.options)
    const list = lists.get(key) ?? columns.optionLists.push([...record.options]) - 1
    lists.set(key, list)
    columns.options.push(list)
    for (let round = 1; round <= rounds; round++) columns.right.push(Number(isRightAt(panel, round)))
    for (const round of record.rounds.slice(0, rounds)) addRound(columns, round, record.options.length)
  }
  return columns
}

/** -2 where nobody could judge it. -3 where no one option says what is right: then only `right` does. */
function goldOf({ record: { gold, truth } }: ReadPanel): number {
  if (truth === null) return UNLABELLED
  if (truth.kind === 'unjudged') return UNJUDGED
  return gold !== null && truth.kind === 'options' && truth.options.length === 1 ? gold : GRADED
}

function addRound(
  columns: { readonly agents: readonly string[]; readonly beliefs: (number | null)[]; readonly answers: number[] },
  round: Panels['panels'][number]['record']['rounds'][number],
  options: number,
): void {
  for (const agent of columns.agents) {
    const seat = round.agents.indexOf(agent)
    const own = round.beliefs.subarray(seat * options, (seat + 1) * options)
    const vote = seat < 0 ? NOT_ASKED : (round.votes[seat] ?? ABSTAINED)
    columns.answers.push(vote)
    // Beliefs without a vote are either an abstention, which is uniform, or a tie, which must be kept.
    const isSilent = seat < 0 || (vote === ABSTAINED && own.every((belief) => belief === 1 / options))
    for (let option = 0; option < options; option++) columns.beliefs.push(isSilent ? null : (own[option] ?? null))
  }
}
