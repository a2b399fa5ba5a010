import { type LocalOptions, POLICIES, POLICY_NAMES, type PolicyName } from '@quorate/certificate'
import { jsonLine } from '../../text/json-line.ts'
import { closestName } from '../../text/nearest-name.ts'
import { pageWidth } from '../../text/page-frame.ts'
import { plainText } from '../../text/plain-text.ts'
import { styleFor } from '../../text/style.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { Command } from '../command.ts'
import { flagsText, programName } from '../command-line.ts'
import { SOURCE_FLAGS, sourceOperands, withDebates } from '../debate-source.ts'
import { EXIT } from '../exit-code.ts'
import { exitOnInterrupt } from '../exit-on-interrupt.ts'
import { DEBATE_FLAGS, debateFlags } from '../flags/debate-flags.ts'
import { LOCAL_FLAGS, localFlags } from '../flags/local-flags.ts'
import { areDistinct, type Flags, type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { SPLIT_FLAGS, splitFlags } from '../flags/split-flags.ts'
import { liveProgress } from '../progress.ts'
import { quoted } from '../quoted.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  ...SOURCE_FLAGS,
  ...DEBATE_FLAGS,
  ...SPLIT_FLAGS,
  ...LOCAL_FLAGS,
  policies: { value: 'A,B', about: 'only these policies' },
  decisions: {
    value: 'FILE',
    about:
      'also write the decision of every policy on every held-out debate, one JSON object per line: split (its seed), ' +
      'policy, beta, id, decision (act or defer), round, answer, right. A deferral has no round and no answer, and its ' +
      '"right" is that of the last round. An existing file is replaced',
  },
} satisfies FlagTable

export const evaluateCommand: Command = {
  name: 'evaluate',
  help: `quorate evaluate DEBATES.jsonl --beta B [flags]
quorate evaluate --run ID --beta B [flags]

Splits labelled debates into random halves, fits every policy on one half and
lets it decide the other. It prints how often each policy acts, how often it is
then right, what share of the budget it uses, and how many rounds and calls it
takes. If the debates have two or more groups, each group is also decided by
certificates from the other groups, because the guarantee does not cover groups
that were not calibrated on. Nothing is sent over the network.

DEBATES.jsonl has one debate per line:
  {"id": "q1", "group": "law", "options": ["A", "B"], "gold": "A", "rounds": [[
    {"agent": "ada", "answer": "A", "conf": {"verbal": 0.9}}, ...], ...]}
Instead of "gold", "correct": ["A", "B"] names all right options, or
"grades": [{"round": 1, "right": true, "by": "person:ann"}, ...] states for each
round whether the panel's answer is right. null (nobody could tell) and a round
without a grade never count as right. Debates with the same
"question_of" are runs of one question and stay on one side of every split.

Flags
${flagsHelp(FLAGS)}
Policies
${policyList()}

Examples
  quorate evaluate debates.jsonl --beta 0.15
  quorate evaluate debates.jsonl --beta 0.05 --delta 0.01 --epsilon 0.01
  quorate evaluate debates.jsonl --beta 0.1 --policies cells,consensus --json
  quorate evaluate debates.jsonl --beta 0.1 --decisions decisions.jsonl
  quorate evaluate answers.jsonl --beta 0.15 \\
    --protocol growing-panel --panel-sizes 3,6,9
`,
  async run(args, terminal) {
    const line = parseFlags('evaluate', args, FLAGS, sourceOperands(args))
    const { flags } = line
    const { budget, file } = debateFlags(flags)
    const policies = policiesFlag(flags)
    const local = localOf(flags, policies)
    const options = { budgets: [budget], policies, shift: true, local, ...splitFlags(flags) }
    const decisions = await decisionsFlag(flags)
    // Loaded lazily, so that --help is fast.
    const { evaluateFile } = await import('../../evaluation/evaluate-file.ts')
    const progress = liveProgress()
    const stopListening = exitOnInterrupt(progress.end)
    try {
      await withDebates(line, async ({ path, typed, beliefs }) => {
        const read = { file: { ...(beliefs && { beliefs }), ...file }, progress: progress.update, ...decisions }
        const { evaluations, gridEnds, leftOut, reading } = await evaluateFile(path, { ...options, ...read })
        progress.end()
        const [evaluation] = evaluations
        if (evaluation === undefined) throw new Error('no evaluation for the budget')
        if (flags.has('json')) return terminal.write(jsonLine({ ...evaluation, local, reading }))
        const { evaluationPage } = await import('../../report/evaluation-page.ts')
        const style = styleFor({ color: terminal.color && !flags.has('no-color') })
        const frame = { width: pageWidth(terminal.width), style }
        const { groupConditional } = options
        const asked = { program: programName(), path: typed, sameFlags: flagsText(flags, LEFT_OUT), groupConditional }
        const page = { ...asked, evaluation, leftOut, reading, budget, local, gridEnds: gridEnds[0] ?? [] }
        terminal.write(evaluationPage(page, frame))
        if (decisions.decisions !== undefined)
          terminal.write(`\nWrote decisions to ${plainText(decisions.decisions)}.\n`)
      })
      return EXIT.ok
    } finally {
      progress.end()
      stopListening()
    }
  },
}

/** Flags that the suggested next commands do not repeat. */
const LEFT_OUT: readonly string[] = [
  'policies',
  'splits',
  'seeds',
  'threads',
  'json',
  'no-color',
  'group-conditional',
  'run',
  'decisions',
]

/** The `--decisions` file, checked to be writable before anything is computed. */
async function decisionsFlag(flags: Flags): Promise<{ readonly decisions?: string }> {
  const decisions = flags.get('decisions')
  if (decisions === undefined) return {}
  if (typeof decisions !== 'string' || decisions === '') {
    throw new UsageError('--decisions must name a file, got ""')
  }
  const { checkWritable } = await import('../../run/exchange/write-lines.ts')
  await checkWritable(decisions)
  return { decisions }
}

/** The policies that depend on the options of the profiles `tight` and `paper`. */
const LOCAL_POLICIES: readonly PolicyName[] = ['tight', 'paper', 'knn-no-envelope', 'final-round']

function localOf(flags: Flags, policies: readonly PolicyName[]): LocalOptions {
  const given = Object.keys(LOCAL_FLAGS).find((name) => flags.has(name))
  if (given !== undefined && !policies.some((name) => LOCAL_POLICIES.includes(name))) {
    throw new UsageError(
      `--${given} needs one of ${LOCAL_POLICIES.join(', ')} among --policies: no other has neighbourhoods`,
    )
  }
  return localFlags(flags)
}

function policiesFlag(flags: Flags): readonly PolicyName[] {
  const text = flags.get('policies')
  if (typeof text !== 'string') return POLICY_NAMES
  const names = text.split(',').map((part) => knownPolicy(part.trim()))
  if (areDistinct(names)) return names
  throw new UsageError(`--policies must name each policy once, got ${quoted(text)}`)
}

function knownPolicy(typed: string): PolicyName {
  const known = POLICY_NAMES.find((name) => name === typed)
  if (known !== undefined) return known
  const closest = closestName(typed, POLICY_NAMES)
  const meant = closest === undefined ? '.' : `. Did you mean ${closest}?`
  throw new UsageError(
    `--policies: unknown policy ${quoted(typed)}${meant} The policies are ${POLICY_NAMES.join(', ')}`,
  )
}

function policyList(): string {
  return POLICIES.map(
    ({ name, summary }) =>
      `  ${name}\n${wrapText(summary, 72)
        .map((line) => `      ${line}`)
        .join('\n')}`,
  ).join('\n')
}
