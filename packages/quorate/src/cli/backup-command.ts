import { resolve } from 'node:path'
import { plainText } from '../report/plain-text.ts'
import type { Command } from './command.ts'
import { CONFIG_FLAGS, CONFIG_FLAGS_HELP, configOf } from './config-flags.ts'
import { EXIT } from './exit-code.ts'
import { parseFlags } from './parse-flags.ts'

export const backupCommand: Command = {
  name: 'backup',
  help: `quorate backup PATH [flags]

Copies the SQLite store of the config to a new file. For PostgreSQL it says which command
to use.

Flags
${CONFIG_FLAGS_HELP}
Example
  quorate backup backups/monday.db
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('backup', args, CONFIG_FLAGS, ['PATH'])
    const { openConfiguredStore } = await import('./run-command.ts')
    const store = await openConfiguredStore(await configOf(flags))
    try {
      const path = resolve(operands[0] ?? '')
      await store.backup(path)
      terminal.write(`Wrote ${plainText(path)}.\n`)
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}
