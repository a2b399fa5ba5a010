import { jsonLine } from '../../text/json-line.ts'
import { countOf } from '../../text/number-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { STORE_FLAGS } from '../flags/config-flags.ts'
import { flagsHelp, parseFlags } from '../flags/parse-flags.ts'

export const stopCommand: Command = {
  name: 'stop',
  help: `quorate stop RUN [flags]

Stops a detached run. Workers finish the questions that they are debating and
take no others. The rest stays pending and costs nothing. To continue the run,
repeat its command with --resume RUN --detach.

Flags
${flagsHelp(STORE_FLAGS)}
Example
  quorate stop 01a1e143
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('stop', args, STORE_FLAGS, ['RUN'])
    const [named = ''] = operands
    const { openStoreOf } = await import('../configured-store.ts')
    const { findRun } = await import('../../run/find-run.ts')
    const { sharedOf } = await import('../../run/workers/share-run.ts')
    const store = await openStoreOf(flags)
    try {
      const { runs } = sharedOf(store)
      const { id, kind } = await findRun(store, named)
      const isStopped = await runs.stop(id)
      const left = (await store.runs.counts(id)).pending
      if (flags.has('json')) terminal.write(jsonLine({ quorate: 1, runId: id, stopped: isStopped, pending: left }))
      else terminal.write(isStopped ? stoppedText(id, kind, left) : `Run ${id} is done, or was never detached.\n`)
      return EXIT.ok
    } finally {
      await store.close()
    }
  },
}

function stoppedText(id: string, kind: string, left: number): string {
  const certificate = kind === 'decide' ? '--certificate FILE ' : ''
  return (
    `Run ${id} is stopped. ${countOf(left, 'question')} ${left === 1 ? 'is' : 'are'} pending.\n` +
    `Continue: quorate ${kind} QUESTIONS ${certificate}--resume ${id.slice(0, 13)} --detach\n`
  )
}
