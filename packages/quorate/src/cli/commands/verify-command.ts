import type { ArchiveVerdict } from '../../run/verify/verify-archive.ts'
import type { BundleVerdict } from '../../run/verify/verify-bundle.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { type FlagTable, flagsHelp, OUTPUT_FLAGS, parseFlags } from '../flags/parse-flags.ts'
import { quoted } from '../quoted.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  head: {
    value: 'HASH',
    about: 'the head that export printed when it wrote the bundle; for an archive, its sha256',
  },
  'allow-newer': { about: 'accept rows after that head, which the head does not cover' },
  json: OUTPUT_FLAGS.json,
} satisfies FlagTable

export const verifyCommand: Command = {
  name: 'verify',
  help: `quorate verify FILE [--head HASH]

Checks a bundle that quorate export wrote, without a network or a store.
Every row must continue the row before it. The rows must describe one run. Every
decision is recomputed from the certificate in the bundle and must be the same,
with bounds equal to 1e-12. The selection of every spot check is repeated with
the key that the bundle discloses. A key that is still in use is not disclosed.
verify then prints how many selections it could not check.

This shows that the bundle is consistent. A person who rewrites the whole bundle
can make it consistent again. Only a head that you noted when the bundle was
written shows that nothing up to it has changed (--head). For a file that
quorate archive wrote, verify prints its contents and the sha256 of its lines.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   consistent; with --head also unchanged
  30  changed, cut off, a decision with another result, or rows after the head;
      the message says where
  31  not confirmed: the chain is whole, but another version of quorate wrote it
      and this one computes other values; the message names the version

Example
  quorate verify run.bundle --head 3f0c...
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('verify', args, FLAGS, ['FILE'])
    const head = flags.get('head')
    if (typeof head === 'string' && !/^[0-9a-f]{64}$/.test(head)) {
      throw new UsageError(`--head must be 64 hex digits, got ${quoted(head)}`)
    }
    if (flags.has('allow-newer') && head === undefined) throw new UsageError('--allow-newer needs --head')
    const { verifyArchive } = await import('../../run/verify/verify-archive.ts')
    const { verifyBundle } = await import('../../run/verify/verify-bundle.ts')
    const path = operands[0] ?? ''
    const noted = typeof head === 'string' ? head : undefined
    const verdict = (await verifyArchive(path, noted)) ?? (await verifyBundle(path, noted))
    if (verdict.kind === 'archive') {
      terminal.write(
        flags.has('json') ? jsonLine({ quorate: 1, ...verdict }) : archiveText(verdict, noted !== undefined),
      )
      return EXIT.ok
    }
    terminal.write(flags.has('json') ? jsonLine({ quorate: 1, ...verdict }) : bundleText(verdict, head !== undefined))
    if (verdict.kind === 'broken') return EXIT.falsified
    if (verdict.rowsAfterHead > 0 && !flags.has('allow-newer')) return EXIT.falsified
    return verdict.kind === 'whole' ? EXIT.ok : EXIT.unconfirmed
  },
}

function bundleText(verdict: BundleVerdict, hasHead: boolean): string {
  if (verdict.kind === 'broken') return brokenText(verdict)
  return verdict.kind === 'whole' ? wholeText(verdict, hasHead) : otherCodeText(verdict, hasHead)
}

function archiveText({ runId, calls, digest }: Extract<ArchiveVerdict, { kind: 'archive' }>, isNoted: boolean): string {
  const run = plainText(runId)
  const what = `An archive, not a bundle: ${countOf(calls, 'call')} of run\n  ${run}\nsha256 of its lines\n  ${digest}\n`
  if (isNoted) return `${what}It matches --head, so the calls are unchanged.\n`
  return (
    `${what}quorate archive printed the same hash, and a bundle that was exported afterwards\n` +
    'has it in the row calls-archived. --head compares the two.\n'
  )
}

type Whole = Extract<BundleVerdict, { kind: 'whole' }>

function brokenText({ place, reason }: Extract<BundleVerdict, { kind: 'broken' }>): string {
  return `Changed at ${plainText(place)}: ${plainText(reason)}\n`
}

function otherCodeText(verdict: Extract<BundleVerdict, { kind: 'other-code' }>, hasHead: boolean): string {
  const { first, thisCode, unconfirmedDecisions, decisions, rows, runId, vouchedRows, rowsAfterHead } = verdict
  const { version, methodVersion } = first.writtenBy
  const writer = plainText(version)
  const text =
    `Not confirmed at ${plainText(first.place)}: written by quorate ${writer} (method ${methodVersion});\n` +
    `this is quorate ${thisCode.version} (method ${thisCode.methodVersion}). Recomputed values differ:\n` +
    `  ${plainText(first.reason)}\n` +
    `So this version cannot confirm it. Install quorate ${writer} to verify it.\n` +
    `${countText(unconfirmedDecisions)} of ${countOf(unconfirmedDecisions + decisions, 'decision')} could not be reproduced.\n`
  if (!hasHead) return `${text}The chain is whole: ${countText(rows)} rows of run ${plainText(runId)}.\n`
  const vouched = `No byte has changed up to the head: ${countText(vouchedRows)} rows of run ${plainText(runId)}.\n`
  return rowsAfterHead === 0 ? text + vouched : `${text}${vouched}${afterHeadText(rowsAfterHead)}`
}

function wholeText(verdict: Whole, hasHead: boolean): string {
  const { decisions } = verdict
  const run = `of run ${plainText(verdict.runId)}`
  const again = `${countText(decisions)} decisions recomputed with the same result`
  return `${ofRows(verdict, hasHead, run, again)}${spotCheckText(verdict)}`
}

/** Reports unchecked selections explicitly, so that nobody mistakes them for checked ones. */
function spotCheckText({ repeatedSelections, uncheckedSelections }: Whole): string {
  const repeated =
    repeatedSelections === 0
      ? ''
      : `Spot checks: ${countOf(repeatedSelections, 'selection')} repeated, all with the same result.\n`
  if (uncheckedSelections === 0) return repeated
  return (
    `${repeated}Not checked: ${countOf(uncheckedSelections, 'selection')} of spot checks. The run is open and still uses their\n` +
    'key. A bundle discloses it when the run closes, or for a server a day later: export it then.\n'
  )
}

function ofRows(
  { rows, vouchedRows, rowsAfterHead, head }: Whole,
  hasHead: boolean,
  run: string,
  again: string,
): string {
  if (!hasHead) {
    return (
      `Consistent: ${countText(rows)} rows ${run}, ${again}.\n` +
      'This does not show that the bundle is the original, because a rewritten bundle can be\n' +
      `consistent too. Compare its head with the one noted when it was written (--head):\n  ${head}\n`
    )
  }
  const unchanged = `Unchanged up to the head: ${countText(vouchedRows)} rows ${run}`
  if (rowsAfterHead === 0) return `${unchanged}, ${again}.\n`
  return `${unchanged}.\n${afterHeadText(rowsAfterHead)}`
}

function afterHeadText(rows: number): string {
  return (
    `The head does not vouch for the ${countText(rows)} rows after it: anybody may have added them.\n` +
    'Compare with a later head, or pass --allow-newer.\n'
  )
}
