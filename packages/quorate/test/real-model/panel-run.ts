import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebateSoFar } from '../../src/debate/debate-record.ts'
import type { DecisionRecord } from '../../src/record/decision.ts'
import type { StoredReply } from '../../src/run/calls/pay-for-call.ts'
import type { StoredCall } from '../../src/store/store.ts'
import type { LoggedReply } from './chat-server.ts'
import type { ModelProcess } from './model-process.ts'
import { type CommandResult, type PanelSettings, readLines, runCommand, writePanelFolder } from './panel-folder.ts'
import { withSimulatedLabels } from './simulated-labels.ts'

type ExportedCall = Omit<StoredCall, 'reply'> & { readonly reply: StoredReply['reply'] }

/** What a panel answered and what became of it, from the first command to the last. */
export interface PanelRun {
  readonly results: Readonly<
    Record<'validate' | 'debate' | 'calibrate' | 'decide' | 'simulated' | 'again', CommandResult>
  >
  readonly debates: readonly DebateSoFar[]
  readonly calls: readonly ExportedCall[]
  /** What the server made for `calls`. */
  readonly replies: readonly LoggedReply[]
  /** From the twelve real labels. */
  readonly decisions: readonly DecisionRecord[]
  /** From simulated labels, over the same questions, and how many replies the server made for them. */
  readonly simulated: readonly DecisionRecord[]
  readonly repliesForSimulated: number
}

/** validate, debate, calibrate, decide; then calibrate on simulated labels, and decide again. */
export async function runPanel(
  server: ModelProcess,
  folder: string,
  settings: Omit<PanelSettings, 'url'>,
): Promise<PanelRun> {
  writePanelFolder(folder, { ...settings, url: server.url })
  const run = (...args: readonly string[]) => runCommand(folder, args)
  const before = server.log().length
  const validate = await run('validate')
  const debate = await run('debate', 'labelled.jsonl', '--out', 'debates.jsonl')
  const replies = server.log().slice(before)
  const runId = String(debate.json['runId'])
  await run('export', '--run', runId, '--what', 'calls', '--out', 'calls.jsonl')
  const calibrate = await run('calibrate', '--run', runId, '--out', 'certificate.json')
  const decide = await run('decide', 'fresh.jsonl', '--certificate', 'certificate.json', '--out', 'decisions.jsonl')
  const debates = readLines<DebateSoFar>(folder, 'debates.jsonl')
  writeFileSync(join(folder, 'simulated.jsonl'), withSimulatedLabels(debates))
  const asked = server.log().length
  const simulated = await run('calibrate', 'simulated.jsonl', '--out', 'simulated.json')
  const again = await run(
    'decide',
    'fresh.jsonl',
    '--certificate',
    'simulated.json',
    '--out',
    'simulated-decisions.jsonl',
  )
  return {
    results: { validate, debate, calibrate, decide, simulated, again },
    debates,
    calls: readLines<ExportedCall>(folder, 'calls.jsonl'),
    replies,
    decisions: readLines<DecisionRecord>(folder, 'decisions.jsonl'),
    simulated: readLines<DecisionRecord>(folder, 'simulated-decisions.jsonl'),
    repliesForSimulated: server.log().length - asked,
  }
}
