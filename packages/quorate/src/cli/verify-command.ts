import { jsonLine } from '../report/json-line.ts'
import { countText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import type { BundleVerdict } from '../runs/verify-bundle.ts'
import type { Command } from './command.ts'
import { EXIT } from './exit-code.ts'
import { parseFlags } from './parse-flags.ts'
import { quoted } from './quoted.ts'
import { UsageError } from './usage-error.ts'

export const verifyCommand: Command = {
  name: 'verify',
  help: `quorate verify FILE [--head HASH]

Reads a bundle that quorate export wrote, without network and without a store: no byte
may have changed, no row may be missing, and every decision, made again from the
certificate in the bundle, must come out the same, bounds to 1e-12. A cut tail is found
for certain only against a head that was noted elsewhere.

Flags
  --head HASH        the head that was printed when the bundle was written
  --json             one JSON object on standard output and nothing else

Exit codes
  0   unchanged
  30  changed, cut, or a decision that comes out otherwise; says where

Example
  quorate verify run.bundle
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('verify', args, { head: 'string', json: 'boolean' }, ['FILE'])
    const head = flags.get('head')
    if (typeof head === 'string' && !/^[0-9a-f]{64}$/.test(head)) {
      throw new UsageError(`--head must be 64 hex digits, got ${quoted(head)}`)
    }
    const { verifyBundle } = await import('../runs/verify-bundle.ts')
    const verdict = await verifyBundle(operands[0] ?? '', typeof head === 'string' ? head : undefined)
    terminal.write(flags.has('json') ? jsonLine({ quorate: 1, ...verdict }) : verdictText(verdict, head))
    return verdict.kind === 'whole' ? EXIT.ok : EXIT.falsified
  },
}

function verdictText(verdict: BundleVerdict, head: string | true | undefined): string {
  if (verdict.kind === 'broken') return `Changed at ${plainText(verdict.place)}: ${plainText(verdict.reason)}\n`
  const { rows, decisions, rowsAfterHead, runId } = verdict
  const against =
    head === undefined
      ? `Head ${verdict.head}. Compare it with the head you noted: only that shows that nothing was cut off.`
      : `The head is in the chain; ${countText(rowsAfterHead)} rows came after it.`
  return (
    `Unchanged: ${countText(rows)} rows of run ${plainText(runId)}, ${countText(decisions)} decisions came out again.\n` +
    `${against}\n`
  )
}
