import { CertificateError } from '@quorate/certificate'
import { LIMITS } from '../record/limits.ts'
import { ELICITATIONS } from './elicit/elicitations.ts'
import type { PanelPlan } from './panel.ts'
import { checkTemplate } from './prompt-places.ts'

/** A plan that was built in code, before money is spent on it. The config has messages of its own. */
export function checkPanel(panel: PanelPlan): void {
  const { agents, rounds, sizes, protocol, samples, elicitation, prompts } = panel
  const names = new Set(agents.map(({ name }) => name))
  if (agents.length === 0) throw refused('agents', 'at least one agent', agents)
  if (names.size !== agents.length) throw refused('agents', 'agents with names of their own', agents)
  if (!(Number.isInteger(rounds) && rounds >= 1)) throw refused('rounds', 'a whole number of at least 1', rounds)
  if (
    ELICITATIONS[elicitation].isRepeated &&
    !(Number.isInteger(samples) && samples >= 1 && samples <= LIMITS.samples)
  ) {
    throw refused('samples', `a whole number from 1 to ${LIMITS.samples}`, samples)
  }
  if (protocol === 'growing-panel') checkSizes(panel, sizes ?? [])
  checkTemplate('firstRound', prompts.firstRound, 'prompts.firstRound')
  if (protocol === 'debate' && rounds > 1) checkTemplate('laterRound', prompts.laterRound, 'prompts.laterRound')
  checkTemplate('reminder', prompts.reminder, 'prompts.reminder')
}

function checkSizes({ rounds, agents }: PanelPlan, sizes: readonly number[]): void {
  const isGrowing = sizes.every((size, index) => Number.isInteger(size) && size > (sizes[index - 1] ?? 0))
  if (!isGrowing || sizes.length !== rounds) throw refused('sizes', `${rounds} whole numbers that grow`, sizes)
  if ((sizes.at(-1) ?? 0) > agents.length) throw refused('sizes', `at most ${agents.length}, the agents`, sizes.at(-1))
}

function refused(parameter: string, expected: string, received: unknown): CertificateError {
  return new CertificateError('runDebate', `panel.${parameter}`, expected, received)
}
