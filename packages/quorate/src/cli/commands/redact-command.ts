import { jsonLine } from '../../text/json-line.ts'
import { countText } from '../../text/number-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { quoted } from '../quoted.ts'

export const redactCommand: Command = {
  name: 'redact',
  help: `quorate redact ID [flags]

Erases the question, the replies and the arguments of one question in all runs,
and every field of an imported debate except names, answers and numbers. Ids,
answers, beliefs and decisions stay. Bundles still verify, because the chain has
texts only as salted digests, and the salts are erased too. So are the digests
by which POST /v1/certify recognizes a debate: later posts under its id are
refused. A run that is debating the question drops it and writes nothing about
it. Backups, exported files, and the hashes by which certificates recognize
their questions do not change.

Flags
${flagsHelp(STORE_FLAGS)}
Example
  quorate redact claim-4711
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('redact', args, STORE_FLAGS, ['ID'])
    const { openStoreOf } = await import('../configured-store.ts')
    const store = await openStoreOf(flags)
    const [id = ''] = operands
    try {
      const { erased, isWiped } = await store.redact(id)
      if (flags.has('json')) terminal.write(jsonLine({ quorate: 1, questionId: id, erased, isWiped }))
      else if (erased === 0) terminal.write(`The store has no text of ${quoted(id)}.\n`)
      else {
        const rest = isWiped
          ? ''
          : ' Old bytes may remain in its files: end other processes that use it and redact again.'
        terminal.write(`Erased the texts of ${quoted(id)} in ${countText(erased)} rows.${rest}\n`)
      }
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}
