import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { DemoOutput } from '../../demo/demo-options.ts'
import type { DemoResult } from '../../demo/demo-result.ts'
import { packageVersion } from '../../files/package-version.ts'
import { jsonLine } from '../../text/json-line.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { styleFor } from '../../text/style.ts'
import type { Command } from '../command.ts'
import { demoName, fileText, programName } from '../command-line.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import {
  type Flags,
  type FlagTable,
  flagsHelp,
  numberFlag,
  OUTPUT_FLAGS,
  parseFlags,
  seedFlag,
} from '../flags/parse-flags.ts'
import { listenForInterrupt } from '../interrupt.ts'
import { liveProgress, type Progress } from '../progress.ts'
import { openInBrowser } from '../serve/open-browser.ts'
import { surroundings, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const DEFAULT_FOLDER = 'quorate-demo'

const FLAGS = {
  seed: { value: 'N', about: 'seed of everything random, an integer from 0 to 4294967295 (default 7)' },
  beta: {
    value: 'B',
    about:
      'largest share of questions on which the panel may act wrongly, a number from 0.0001 to below 1 (default 0.10)',
  },
  shift: { about: 'decide another mix of questions than the calibrated one, so that the policy is suspended' },
  out: {
    value: 'DIR',
    about:
      `folder for the results (default ${DEFAULT_FOLDER}). Files of an earlier demo are replaced. A folder with other ` +
      'files, or one that a server has open, is refused',
  },
  'no-serve': { about: 'exit without opening the web app' },
  ...OUTPUT_FLAGS,
} satisfies FlagTable

export const demoCommand: Command = {
  name: 'demo',
  help: `quorate demo [--seed N] [--beta B] [--shift] [--out DIR] [flags]

Debates questions with a simulated panel, calibrates on the debates, decides new
questions, compares the result with other rules, shows one of the decisions
round by round, and audits the assumptions. It writes the config, questions,
debates, certificate, decisions, report.html (if the panel can act at this
beta), a bundle and the store to DIR. It calls no model and sends nothing over
the network. It takes about a minute on two cores. On a terminal it then serves
the web app on loopback until Ctrl-C. Otherwise, or if CI is set, it exits and
prints the command that opens the app.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   it ran
  20  nothing can be acted on at this beta; the planner shows what is within
      reach
  30  the audit contradicts an assumption, as with --shift
  130 stopped by Ctrl-C; the next demo starts over
Ctrl-C while the app is open ends with 0, 20 or 30 as well, but npm then returns
130, whatever the program returns. Use --no-serve where the code matters.

Example
  quorate demo --seed 3 --beta 0.05
`,
  async run(args, terminal) {
    const { flags } = parseFlags('demo', args, FLAGS)
    const options = demoFlags(flags)
    // Loaded lazily, so that --help is fast.
    const { runDemo } = await import('../../demo/run-demo.ts')
    const { DEMO_SIZES, seededIdentity } = await import('../../demo/demo-options.ts')
    const { processWorld } = await import('../../panel/process-world.ts')
    const { schemaPath } = await import('./init-command.ts')
    const { isWatched, serveDemo } = await import('../serve/serve-demo.ts')
    const { listenForShutdown } = await import('../serve/serve-process.ts')
    const progress = liveProgress()
    const interrupt = listenForInterrupt(() => progress.end())
    // Code that computes does not react to the first signal. The second one, or the end of the grace period, ends it.
    interrupt.aborting.addEventListener('abort', () => process.exit(EXIT.interrupted))
    try {
      const result = await runDemo(
        {
          ...options,
          sizes: DEMO_SIZES,
          packageVersion: packageVersion(),
          threads: availableParallelism(),
          schemaPath: schemaPath(resolve(options.folder)),
          commands: { demo: demoName(), quorate: programName(), typed: fileText },
          world: { ...processWorld(), ...interrupt, ...seededIdentity(options.seed) },
        },
        outputOf(flags, terminal, progress),
      )
      progress.end()
      if (flags.has('json')) terminal.write(jsonLine(result))
      interrupt.end()
      if (isWatched(flags)) {
        await serveDemo(options.folder, { log: terminal.write, open: openInBrowser, end: listenForShutdown() })
      }
      return exitCode(result)
    } catch (error) {
      if (!interrupt.stopping.aborted) throw error
      surroundings().stderr.write('quorate: stopped. The next demo starts over\n')
      return EXIT.interrupted
    } finally {
      progress.end()
      interrupt.end()
    }
  },
}

function demoFlags(flags: Flags) {
  const beta = numberFlag(flags, 'beta', {
    fallback: 0.1,
    expected: 'a number from 0.0001 to below 1, such as 0.05',
    accepts: (value) => value >= 0.0001 && value < 1,
  })
  const folder = flags.get('out') ?? DEFAULT_FOLDER
  if (typeof folder !== 'string' || folder === '') throw new UsageError('--out must name a folder, got ""')
  return { seed: seedFlag(flags), beta, shift: flags.has('shift'), folder }
}

function outputOf(flags: Flags, terminal: Terminal, { update: log, clear }: Progress): DemoOutput {
  const style = styleFor({ color: terminal.color && !flags.has('no-color') })
  const page = { width: pageWidth(terminal.width), style }
  const isSilent = flags.has('json')
  return {
    page,
    log,
    print(lines, end) {
      if (isSilent) return
      clear()
      terminal.write(`${lines.join('\n')}\n${end === 'open' ? '' : '\n'}`)
    },
  }
}

function exitCode({ audit, plan }: DemoResult): ExitCode {
  if (audit?.verdict === 'falsified') return EXIT.falsified
  return plan !== null && !plan.feasible ? EXIT.infeasible : EXIT.ok
}
