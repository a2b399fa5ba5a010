import { dirname, resolve } from 'node:path'
import { jsonLine } from '../../text/json-line.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { flagsHelp, parseFlags } from '../flags/parse-flags.ts'

export const backupCommand: Command = {
  name: 'backup',
  help: `quorate backup PATH [flags]

Copies the SQLite store of the config, or of --store, to a new file, and makes
its folder if it is missing. For PostgreSQL it names the command to use.

The copy is written in a private folder quorate-backup-ID.part beside PATH. It
gets its name when it is complete and on the disk. A killed backup leaves that
folder. The next backup to the same place removes it.

Flags
${flagsHelp(STORE_FLAGS)}
Example
  quorate backup backups/monday.db
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('backup', args, STORE_FLAGS, ['PATH'])
    const { openStoreOf } = await import('../configured-store.ts')
    const { makeFolder } = await import('../../files/write-whole.ts')
    const store = await openStoreOf(flags)
    try {
      const path = resolve(operands[0] ?? '')
      await makeFolder(dirname(path))
      await store.backup(path)
      terminal.write(flags.has('json') ? jsonLine({ quorate: 1, file: path }) : `Wrote ${plainText(path)}.\n`)
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}
