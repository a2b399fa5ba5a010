import { fieldId, isFieldOf } from '../../questions/document-field.ts'
import type { Redaction } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf, countText } from '../../text/number-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { type FlagTable, flagsHelp, parseFlags } from '../flags/parse-flags.ts'
import { quoted } from '../quoted.ts'

const FLAGS = {
  fields: { about: 'also erase the questions about the fields of the document ID' },
  ...STORE_FLAGS,
} satisfies FlagTable

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
their questions do not change. A document with fields is one question for each
field, ID#FIELD: --fields erases all of them. Without the flag the command names
those that are left, and exits with code 1.

Flags
${flagsHelp(FLAGS)}
Example
  quorate redact claim-4711
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('redact', args, FLAGS, ['ID'])
    const { openStoreOf } = await import('../configured-store.ts')
    const store = await openStoreOf(flags)
    const [id = ''] = operands
    try {
      const found = await store.runs.withText(fieldId(id, ''))
      const fields = found.filter((questionId) => isFieldOf(id, questionId))
      const [left, also] = flags.has('fields') ? [[], fields] : [fields, []]
      const redactions: Redaction[] = []
      for (const questionId of [id, ...also]) {
        redactions.push(await store.redact(questionId))
      }
      const erased = redactions.reduce((sum, redaction) => sum + redaction.erased, 0)
      const isWiped = redactions.every((redaction) => redaction.isWiped)
      if (flags.has('json')) terminal.write(jsonLine({ quorate: 1, questionId: id, erased, isWiped, also, left }))
      else terminal.write(erasedText([id, ...also], { erased, isWiped }) + leftText(left))
      return left.length === 0 ? EXIT.ok : EXIT.error
    } finally {
      await store.close()
    }
  },
}

function erasedText(ids: readonly string[], { erased, isWiped }: Redaction): string {
  const names = ids.map(quoted).join(', ')
  if (erased === 0) return `The store has no text of ${names}.\n`
  const rest = isWiped ? '' : ' Old bytes may remain in its files: end other processes that use it and redact again.'
  return `Erased the texts of ${names} in ${countText(erased)} rows.${rest}\n`
}

function leftText(left: readonly string[]): string {
  if (left.length === 0) return ''
  const fields = `${countOf(left.length, 'question')} about its fields (${left.map(quoted).join(', ')})`
  return `It has texts of ${fields}: --fields erases them too.\n`
}
