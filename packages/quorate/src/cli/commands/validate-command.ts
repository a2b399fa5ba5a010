import { ConfigError } from '../../config/config-error.ts'
import { FileError } from '../../files/file-error.ts'
import { errorSentence } from '../../text/error-sentence.ts'
import { jsonLine } from '../../text/json-line.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { styleFor } from '../../text/style.ts'
import type { Command } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CONFIG_FLAGS, configOf } from '../flags/config-flags.ts'
import { type Flags, type FlagTable, flagsHelp, OUTPUT_FLAGS, parseFlags } from '../flags/parse-flags.ts'
import { surroundings, type Terminal } from '../terminal.ts'

const FLAGS = {
  'allow-unpriced': { about: 'accept models without a known price, as debate and decide do with this flag' },
  'trust-config': { about: "accept hosts that are not a key's own, as debate and decide do with this flag" },
  ...CONFIG_FLAGS,
  ...OUTPUT_FLAGS,
} satisfies FlagTable

export const validateCommand: Command = {
  name: 'validate',
  help: `quorate validate [--config PATH] [flags]

Reads the config and the prompts it names, and lists what would be called: every
agent, every host, which key variables are set (never their values), which
prices are known and how many calls a question takes. It sends no request.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   the config can be run once its keys are set
  1   it cannot, or only with a flag that the output names; problems have line
      and column
  20  at this budget, nothing can be acted on

Example
  quorate validate --config quorate.config.yaml --json
`,
  async run(args, terminal) {
    const { flags } = parseFlags('validate', args, FLAGS)
    try {
      return await validate(flags, terminal)
    } catch (error) {
      if (!flags.has('json') || !(error instanceof ConfigError || error instanceof FileError)) throw error
      const found = error instanceof ConfigError ? { problems: error.problems } : { errors: [errorSentence(error)] }
      terminal.write(jsonLine({ quorate: 1, valid: false, problems: [], errors: [], stops: [], ...found }))
      return EXIT.error
    }
  },
}

async function validate(flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { describeConfig } = await import('../../config/describe-config.ts')
  const { configPage } = await import('../../config/config-page.ts')
  const { shownPath } = await import('../../config/load-config.ts')
  const { pairingFile, readPairings } = await import('../../config/trusted-pairings.ts')
  const loaded = await configOf(flags)
  const found = describeConfig(loaded, {
    trusted: await readPairings(pairingFile(surroundings().env)),
    trustConfig: flags.has('trust-config'),
    allowUnpriced: flags.has('allow-unpriced'),
  })
  const file = shownPath(process.cwd(), loaded.config.file)
  const isValid = found.errors.length + found.stops.length === 0
  const frame = {
    width: pageWidth(terminal.width),
    style: styleFor({ color: terminal.color && !flags.has('no-color') }),
  }
  terminal.write(
    flags.has('json')
      ? jsonLine({ quorate: 1, valid: isValid, file, ...found, problems: [] })
      : configPage(file, found, frame),
  )
  if (!isValid) return EXIT.error
  return found.budget.feasible ? EXIT.ok : EXIT.infeasible
}
