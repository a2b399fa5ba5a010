import { plan, splitSeeds } from '@quorate/certificate'
import { pageWidth } from '../../text/page-frame.ts'
import { styleFor } from '../../text/style.ts'
import type { Command } from '../command.ts'
import { programName } from '../command-line.ts'
import { SOURCE_FLAGS, sourceOperands, withDebates } from '../debate-source.ts'
import { EXIT } from '../exit-code.ts'
import { DEBATE_FLAGS, debateFlags } from '../flags/debate-flags.ts'
import { LOCAL_FLAGS, profileFlags } from '../flags/local-flags.ts'
import {
  areDistinct,
  type Flags,
  type FlagTable,
  flagsHelp,
  integersFlag,
  numberFlag,
  parseFlags,
} from '../flags/parse-flags.ts'
import { liveProgress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'

const FEWEST_SPLITS = 3
const MOST_SPLITS = 100

const FLAGS = {
  ...SOURCE_FLAGS,
  ...DEBATE_FLAGS,
  profile: { value: 'P', about: 'total (default) | cells | tight | paper: how to certify' },
  ...LOCAL_FLAGS,
  splits: { value: 'N', about: `random halves, ${FEWEST_SPLITS} to ${MOST_SPLITS} (default 5)` },
  seeds: { value: 'S,..', about: 'one seed for each split instead, such as 7,11,13' },
} satisfies FlagTable

export const planCommand: Command = {
  name: 'plan',
  help: `quorate plan DEBATES.jsonl --beta B [flags]
quorate plan --run ID --beta B [flags]

Estimates whether your labelled debates can reach a wrong-action budget, how
much they would automate and at what cost, the smallest budget within reach, and
how many labels are missing. All figures are estimates. They come from
certificates that are made from one half of the debates and tried on the other,
in several random splits.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   this beta is within reach
  20  it is not; the output shows what is within reach

Example
  quorate plan debates.jsonl --beta 0.10
`,
  async run(args, terminal) {
    const line = parseFlags('plan', args, FLAGS, sourceOperands(args))
    const { flags } = line
    const { budget, file } = debateFlags(flags)
    const { profile, local } = profileFlags(flags)
    const seeds = seedsFlag(flags)
    // Loaded lazily, so that --help is fast.
    const { readDebateFile } = await import('../../files/read-debate-file.ts')
    const { planAnswer } = await import('../../report/plan-sentences.ts')
    const { planLines } = await import('../../report/plan-table.ts')
    const progress = liveProgress()
    try {
      return await withDebates(line, async ({ path, typed, beliefs }) => {
        const showLines = (lines: number) => progress.update(`reading, line ${lines}`)
        const options = { ...(beliefs && { beliefs }), ...file, progress: showLines }
        const { read, questionOf, unlabelled, failed, reading } = await readDebateFile(path, options)
        const made = plan(read, {
          profile,
          budget,
          seeds,
          questionOf,
          local,
          protocol: file.growingPanel ? 'growing-panel' : 'debate',
          progress: (done, of) => progress.update(`calibrating, ${done + 1} of ${of}`),
        })
        progress.end()
        const style = styleFor({ color: terminal.color && !flags.has('no-color') })
        const frame = { width: pageWidth(terminal.width), style }
        const about = { ...frame, program: programName(), path: typed, leftOut: { unlabelled, failed }, reading, local }
        const text = flags.has('json')
          ? JSON.stringify({ answer: planAnswer(made), ...made, local, reading })
          : planLines(made, about).join('\n')
        terminal.write(`${text}\n`)
        return made.feasible ? EXIT.ok : EXIT.infeasible
      })
    } finally {
      progress.end()
    }
  },
}

/** `--seeds`, or the seeds of the first `--splits` splits. */
function seedsFlag(flags: Flags): readonly number[] {
  const seeds = integersFlag(flags, 'seeds', {
    expected: `${FEWEST_SPLITS} to ${MOST_SPLITS} different integers from 0 to 4294967295, such as 7,11,13`,
    accepts: (values) =>
      values.length >= FEWEST_SPLITS &&
      values.length <= MOST_SPLITS &&
      areDistinct(values) &&
      values.every((value) => value < 2 ** 32),
  })
  if (seeds === undefined) {
    const splits = numberFlag(flags, 'splits', {
      fallback: 5,
      expected: `an integer from ${FEWEST_SPLITS} to ${MOST_SPLITS}`,
      accepts: (value) => Number.isInteger(value) && value >= FEWEST_SPLITS && value <= MOST_SPLITS,
    })
    return splitSeeds(splits)
  }
  if (flags.has('splits')) throw new UsageError('--splits and --seeds set the same thing: pass one of them')
  return seeds
}
