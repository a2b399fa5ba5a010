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
    about: 'the head that was printed when the bundle was written; for an archive, its sha256',
  },
  'allow-newer': { about: 'accept rows after that head, which it does not cover' },
  json: OUTPUT_FLAGS.json,
} satisfies FlagTable

export const verifyCommand: Command = {
  name: 'verify',
  help: `quorate verify FILE [--head HASH]

Reads a bundle that quorate export wrote, without network and without a store.
Every row must continue the one before it, the rows must tell one run, and every
decision, made again from the certificate in the bundle, must come out the same,
bounds to 1e-12. Every coin of a spot check is tossed again with the key that
the bundle discloses. A key that is still in use is not in it: how many coins
could not be checked is said. All this shows that the bundle is consistent.
Whoever rewrites all of it can make it so: only a head that was noted elsewhere,
when the bundle was written, shows that no byte up to it has changed. Of a file
that quorate archive wrote it says what is in it and the sha256 of its lines.

Flags
${flagsHelp(FLAGS)}
Exit codes
  0   consistent; with --head also unchanged
  30  changed, cut, a decision that comes out otherwise, or rows after the head;
      says where
  31  not confirmed: another version of quorate wrote it, this one computes
      other values from it, and its chain is whole; says which can verify it

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

function archiveText({ runId, calls, digest }: ArchiveOf, isNoted: boolean): string {
  const run = plainText(runId)
  const what = `An archive, not a bundle: ${countOf(calls, 'call')} of run\n  ${run}\nsha256 of its lines\n  ${digest}\n`
  if (isNoted) return `${what}It is the one that was given: unchanged.\n`
  return (
    `${what}quorate archive printed the same, and the ledger of the run has it: in a bundle\n` +
    'that was exported afterwards, under calls-archived. --head compares it.\n'
  )
}

type ArchiveOf = Extract<ArchiveVerdict, { kind: 'archive' }>
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
  return `${ofRows(verdict, { hasHead, run, again })}${coinsText(verdict)}`
}

/** Said in words, or somebody takes coins for checked that were not. */
function coinsText({ coins, sealedCoins }: Whole): string {
  const tossed = coins === 0 ? '' : `Tossed again: ${countOf(coins, 'coin')} of spot checks, all came out the same.\n`
  if (sealedCoins === 0) return tossed
  return (
    `${tossed}Not checked: ${countOf(sealedCoins, 'coin')} of spot checks. The run is open and still samples with their\n` +
    'key. A bundle discloses it when the run closes, or of a server a day later: export it then.\n'
  )
}

interface Words {
  readonly hasHead: boolean
  readonly run: string
  readonly again: string
}

function ofRows({ rows, vouchedRows, rowsAfterHead, head }: Whole, { hasHead, run, again }: Words): string {
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
    'Compare with a later head, or say --allow-newer.\n'
  )
}
