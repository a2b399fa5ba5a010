import { audit } from '@quorate/certificate'
import { jsonLine } from '../../text/json-line.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { styleFor } from '../../text/style.ts'
import type { Command } from '../command.ts'
import { SOURCE_FLAGS, sourceOperands, withDebates } from '../debate-source.ts'
import { EXIT } from '../exit-code.ts'
import { DEBATE_FLAGS, debateFlags } from '../flags/debate-flags.ts'
import { LOCAL_FLAGS, profileFlags } from '../flags/local-flags.ts'
import { type FlagTable, flagsHelp, parseFlags, seedFlag } from '../flags/parse-flags.ts'
import { liveProgress } from '../progress.ts'

const FLAGS = {
  ...SOURCE_FLAGS,
  ...DEBATE_FLAGS,
  profile: { value: 'P', about: 'total (default) | cells | tight | paper: how to certify' },
  ...LOCAL_FLAGS,
  'group-conditional': { about: 'audit a certificate that decides each group by itself' },
  unordered: {
    about: 'the order of the file has no meaning (sorted by topic, for example): leave out the tests of arrival order',
  },
  seed: { value: 'N', about: 'seed of the halves and of everything else that is random (default 7)' },
} satisfies FlagTable

export const auditCommand: Command = {
  name: 'audit',
  help: `quorate audit DEBATES.jsonl --beta B [flags]
quorate audit --run ID --beta B [flags]

Calibrates on one half of the labelled debates and tests the assumptions of the
certificate on the other: stopping rounds, groups, the bound itself, smoothness,
what the state forgets, and the order of arrival. The checks can falsify an
assumption but never prove it.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   no assumption was contradicted, or there was not enough data to do so
  30  at least one was falsified: Holm-adjusted p < 0.01 over all checks

Examples
  quorate audit debates.jsonl --beta 0.15
  quorate audit debates.jsonl --beta 0.2 --profile paper --json
`,
  async run(args, terminal) {
    const line = parseFlags('audit', args, FLAGS, sourceOperands(args))
    const { flags } = line
    const { budget, file } = debateFlags(flags)
    const { profile, local } = profileFlags(flags)
    const seed = seedFlag(flags)
    // Loaded lazily, so that --help is fast.
    const { readDebateFile } = await import('../../files/read-debate-file.ts')
    const { auditPage } = await import('../../report/audit-table.ts')
    const progress = liveProgress()
    try {
      return await withDebates(line, async ({ path, typed, isRun, beliefs }) => {
        const showLines = (lines: number) => progress.update(`reading, line ${lines}`)
        const options = { ...(beliefs && { beliefs }), ...file, progress: showLines }
        const { read, questionOf, unlabelled, failed, reading } = await readDebateFile(path, options)
        progress.update(`auditing ${read.debates.length} debates`)
        const groupConditional = flags.has('group-conditional')
        // A store lists debates by the IDs of their questions, not in order of arrival.
        const order = isRun || flags.has('unordered') ? 'none' : 'arrival'
        const found = audit(read, { profile, budget, seed, questionOf, order, groupConditional, local })
        progress.end()
        const style = styleFor({ color: terminal.color && !flags.has('no-color') })
        const frame = { width: pageWidth(terminal.width), style }
        const about = {
          path: isRun ? typed : path,
          found,
          leftOut: { unlabelled, failed },
          reading,
          budget,
          local,
          groupConditional,
        }
        terminal.write(flags.has('json') ? jsonLine({ ...found, local, reading }) : auditPage(about, frame))
        return found.verdict === 'falsified' ? EXIT.falsified : EXIT.ok
      })
    } finally {
      progress.end()
    }
  },
}
