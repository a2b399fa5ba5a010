import { jsonLine } from '../report/json-line.ts'
import { countText } from '../report/number-text.ts'
import { plainText } from '../report/plain-text.ts'
import { EXPORTS } from '../runs/export-lines.ts'
import type { Command } from './command.ts'
import { CONFIG_FLAGS, CONFIG_FLAGS_HELP, configOf } from './config-flags.ts'
import { wordFlag } from './debate-flags.ts'
import { EXIT } from './exit-code.ts'
import { parseFlags } from './parse-flags.ts'
import { UsageError } from './usage-error.ts'

export const exportCommand: Command = {
  name: 'export',
  help: `quorate export --run ID --out FILE [--what debates|decisions|calls|bundle]

Writes JSONL. debates: those that were held, in the format that calibrate and evaluate
read. decisions: one a line with its arithmetic. calls: every attempt. bundle: the
decisions and the certificate under a chain of hashes, for quorate verify; note the head
that is printed, it shows later that nothing was cut off.

Flags
  --run ID           which run
  --what WHAT        debates (default) | decisions | calls | bundle
  --out FILE         where it goes
${CONFIG_FLAGS_HELP}  --json             one JSON object on standard output and nothing else

Example
  quorate export --run 0198c0de-0000-7000-8000-000000000000 --what bundle --out run.bundle
`,
  async run(args, terminal) {
    const types = { ...CONFIG_FLAGS, run: 'string', what: 'string', out: 'string', json: 'boolean' } as const
    const { flags } = parseFlags('export', args, types)
    const [runId, out] = [flags.get('run'), flags.get('out')]
    const what = wordFlag(flags, 'what', EXPORTS) ?? 'debates'
    if (typeof runId !== 'string') throw new UsageError('export: --run ID is missing')
    if (typeof out !== 'string' || out === '') throw new UsageError('export: --out FILE is missing')
    const { openConfiguredStore } = await import('./run-command.ts')
    const { writeExport } = await import('../runs/write-export.ts')
    const store = await openConfiguredStore(await configOf(flags))
    try {
      // Before the bundle: a head that somebody adds meanwhile might not be in it.
      const head = (await store.ledger.head(runId))?.hash ?? null
      const lines = await writeExport(store, { runId, what, out })
      const told = `Wrote ${countText(lines)} lines (${what}) to ${plainText(out)}.\n${what === 'bundle' ? `Head ${head}\n` : ''}`
      terminal.write(flags.has('json') ? jsonLine({ quorate: 1, runId, what, lines, head, file: out }) : told)
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}
