import { pageWidth } from '../report/page-frame.ts'
import { errorSentence } from '../report/error-sentence.ts'
import type { PreparedRun } from '../runs/hold-run.ts'
import { findRun, type OpenRunOptions } from '../runs/open-run.ts'
import { prepareRun } from '../runs/hold-run.ts'
import { readQuestions } from '../questions/read-questions.ts'
import { refuseOtherBudget } from '../runs/deciding.ts'
import { checkPrices } from '../runs/run-job.ts'
import { RunError } from '../runs/run-plan.ts'
import { type RunTally, tallyRun } from '../runs/run-tally.ts'
import { drawRows } from '../runs/take-in.ts'
import type { SharedStore } from '../store/shared-store.ts'
import type { Run, Spend, Store } from '../store/store.ts'
import { openQueue } from '../workers/job-queue.ts'
import { type SharedRunOpened, sharedOf, shareRun } from '../workers/share-run.ts'
import { configOf } from './config-flags.ts'
import { openConfiguredStore } from './configured-store.ts'
import { detachedText, nothingLeftText } from './detached-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { planOf, type RunRequest, resumed, runWorld } from './run-command.ts'
import { debateExitCode, decideExitCode } from './run-exit-code.ts'
import { usdText } from './run-text.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const MICRO = 1_000_000

/** Leaves the run to workers, and says so. */
export async function detachRequest(request: RunRequest, terminal: Terminal): Promise<ExitCode> {
  const { flags, path, columns, certified } = request
  const loaded = await configOf(flags)
  const plan = await planOf(loaded, request)
  if (certified !== null) refuseOtherBudget(certified.certified.certificate, loaded.config)
  if (flags.has('out')) throw new UsageError('--out needs the result, which a detached run has later: quorate export')
  checkPrices(plan)
  const store = await openConfiguredStore(loaded)
  try {
    const shared = sharedOf(store)
    const prepared = await prepareRun(plan, readQuestions(path, columns === undefined ? {} : { columns }), certified)
    const { now, newId } = await runWorld()
    const choice = { resume: await resumed(store, flags), retryErrors: flags.has('retry-errors'), now, newId }
    const before = await runBefore(store, { ...prepared, ...choice })
    if (choice.resume.kind !== 'new' && before !== null && before.left === 0 && before.run.status === 'done') {
      terminal.write(nothingLeftText(request, before))
      return endedCode(request, before.tally)
    }
    if (choice.resume.kind !== 'new' && before !== null) refuseSpent(prepared, before)
    const isOpen = choice.resume.kind === 'new' && before !== null && (await isShared(shared, before.run))
    const opened = await inQueue(shared, plan.hash, (queue) => shareRun(prepared, { store, queue, ...choice }))
    const told = { opened, deciding: prepared.deciding, drawn: drawnOf(prepared, opened) }
    const width = pageWidth(terminal.width)
    terminal.write(detachedText(request, { ...told, stillOpen: isOpen ? before.run.id : null, width }))
    return queuedCode(request, prepared)
  } finally {
    await store.close()
  }
}
