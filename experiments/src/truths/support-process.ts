import type { Random } from '@quorate/certificate'

/**
 * How the swing agents of a simulated panel move between rounds. The ease of a question is drawn once. In round 1 each
 * swing agent backs the leading option with that probability.
 *
 * `independent`: every round is drawn anew with the same ease. `persistent`: an agent keeps its vote with probability
 * .8 and draws anew otherwise. `converging`: a supporter stays and a dissenter joins with probability .5, so agreement
 * grows.
 */
export type SupportProcess = 'independent' | 'persistent' | 'converging'

/** Row t: which swing agents back the leading option in round t + 1. */
export function drawSupport(
  process: SupportProcess,
  { rounds, agents }: { readonly rounds: number; readonly agents: number },
  random: Random,
): boolean[][] {
  const ease = random()
  const fresh = () => random() < ease
  const next: Record<SupportProcess, (before: boolean) => boolean> = {
    independent: fresh,
    persistent: (before) => (random() < 0.8 ? before : fresh()),
    converging: (before) => before || random() < 0.5,
  }
  const history = [Array.from({ length: agents }, fresh)]
  while (history.length < rounds) history.push(history.at(-1)!.map(next[process]))
  return history
}
