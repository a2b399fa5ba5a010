import { writeFileSync } from 'node:fs'
import { PLAIN_NAME } from '../../src/record/names.ts'
import { simulatePanel } from '../../src/simulated/simulate-panel.ts'
import { HOSTILE_TEXTS } from '../figures/hostile-text.ts'

/** Names that a file may contain. The reader refuses empty names, control characters and more than a thousand characters. */
const NAMES = HOSTILE_TEXTS.filter((text) => text !== '' && PLAIN_NAME.test(text)).map((text) => text.slice(0, 900))

/** Simulated debates in the right format, with hostile names. */
export function writeHostileDebates(path: string, count: number): void {
  const lines = simulatePanel({ seed: 5, count }).map(({ options, rounds, group, gold, id }, index) => {
    const names = new Map(Object.keys(options).map((name, at) => [name, `${name}${NAMES[at] ?? ''}`]))
    const renamed = (name: string | null) => (name === null ? null : (names.get(name) ?? name))
    return JSON.stringify({
      quorate: 1,
      id: `${NAMES[index % NAMES.length]}${id}`,
      group: `${NAMES[group.length % NAMES.length]}`,
      options: [...names.values()],
      gold: renamed(gold),
      rounds: rounds.map((turns) =>
        turns.map(({ agent, answer, conf }, at) => ({ agent: `${NAMES[at]}${agent}`, answer: renamed(answer), conf })),
      ),
    })
  })
  writeFileSync(path, `${lines.join('\n')}\n`)
}
