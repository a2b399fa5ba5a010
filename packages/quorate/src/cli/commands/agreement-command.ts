import type { AgreementFigures, AgreementView } from '../../contract/agreement.ts'
import { jsonLine } from '../../text/json-line.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { openStoreOf } from '../configured-store.ts'
import { EXIT } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { type FlagTable, flagsHelp, OUTPUT_FLAGS, parseFlags } from '../flags/parse-flags.ts'

/** The time in which a server lets people undo a review. */
const UNDO_MS = 10_000

const FLAGS = {
  config: CONFIG_FLAGS.config,
  store: { value: 'URL', about: 'the store (or QUORATE_STORE)' },
  json: OUTPUT_FLAGS.json,
  'no-color': OUTPUT_FLAGS['no-color'],
} satisfies FlagTable

export const agreementCommand: Command = {
  name: 'agreement',
  help: `quorate agreement [flags]

Shows how well two reviewers of the same item agree (review: { second: 0.1 } in
the config), and how well each agent agrees with people on spot checks. Kappa is
1 for full agreement and 0 for agreement by chance. The output includes its 95 %
interval and the number of items.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   shown
  1   an error

Examples
  quorate agreement
  quorate agreement --json
`,
  async run(args, terminal) {
    const { flags } = parseFlags('agreement', args, FLAGS)
    const store = await openStoreOf(flags)
    try {
      const { agreementOf } = await import('../../review/agreement.ts')
      const view = await agreementOf(store, { now: Date.now(), undoMs: UNDO_MS })
      terminal.write(flags.has('json') ? jsonLine({ quorate: 1, ...view }) : agreementText(view))
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}

/** One line for each pair of people and for each agent. */
export function agreementText({ people, agents, readTwice, disagreed }: AgreementView): string {
  const read = readTwice === 1 ? '1 item was read' : `${readTwice} items were read`
  const lines = [
    `${read} by two people, who disagreed on ${disagreed}.`,
    ...people.map((pair) => `  ${pair.reviewers.map(plainText).join(' and ')}: ${figuresText(pair)}`),
    ...(agents.length === 0
      ? ['Agents cannot be compared with people yet: nobody has reviewed a spot check that has labels to choose from.']
      : ['Agents compared with people:']),
    ...agents.map((agent) => `  ${plainText(agent.agent)}: ${figuresText(agent)}`),
  ]
  return `${lines.join('\n')}\n`
}

function figuresText({ items, agreed, kappa }: AgreementFigures): string {
  const agreement = `agreed on ${agreed} of ${items}`
  if (kappa === null) return `${agreement}. There is no kappa, because both gave the same answer to all items`
  const [value, lower, upper] = [kappa.value, kappa.lower, kappa.upper].map((number) => number.toFixed(2))
  return `${agreement}, kappa ${value} (${lower} to ${upper})`
}
