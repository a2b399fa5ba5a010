import {
  evaluatedFile,
  halves,
  leaveGroupOut,
  policyNamed,
  questionKeys,
  SHIFTED_POLICIES,
  tallySplit,
} from '@quorate/certificate'
import { readDebateFile } from '../files/read-debate-file.ts'
import { errorSentence } from '../text/error-sentence.ts'
import { countText } from '../text/number-text.ts'
import { plainText } from '../text/plain-text.ts'
import { decisionsPart } from './decisions-file.ts'
import type { SplitAnswer, SplitOrder, SplitWork } from './split-messages.ts'

// The entry of a child process. It reads the file once and evaluates the splits that it is sent, until it is killed or
// its parent is gone.
process.once('disconnect', () => process.exit())
let evaluate: (order: Exclude<SplitOrder, { kind: 'work' }>) => void = () => {}
process.on('message', (order: SplitOrder) => {
  if (order.kind === 'work') void begin(order.work)
  else attempt(() => evaluate(order))
})

async function begin({ path, file, policies, beside, ...task }: SplitWork): Promise<void> {
  try {
    const { read, questionOf, unlabelled, failed, reading } = await readDebateFile(path, {
      ...file,
      progress: (lines) => reportProgress(`reading line ${countText(lines)}`),
    })
    const questions = questionKeys(read.debates, questionOf)
    const protocol = file.growingPanel ? 'growing-panel' : 'debate'
    const named = policies.map(policyNamed)
    const progress = (name: string) => reportProgress(`fitting ${name}`)
    const shifted = named.filter(({ name }) => SHIFTED_POLICIES.some((listed) => listed === name))
    evaluate = (order) => {
      const { seed } = order
      if (order.kind === 'group') {
        reportProgress(`leaving out ${plainText(order.group)}`)
        const leftOut = leaveGroupOut(read, order.group, { ...task, policies: shifted, seed, questionOf })
        return answer({ kind: 'group', leftOut })
      }
      const part = order.decisions === null ? null : decisionsPart(order.decisions, seed)
      const split = { ...task, policies: named, seed, questionOf, protocol, progress } as const
      const halved = halves(questions, seed)
      const tally = tallySplit(read, halved, { ...split, ...(part && { decided: part.add }) })
      part?.close()
      const other = beside && { ...split, ...beside, policies: beside.policies.map(policyNamed) }
      answer({ kind: 'split', tally, beside: other && tallySplit(read, halved, other) })
    }
    answer({ kind: 'read', file: evaluatedFile(read), leftOut: { unlabelled, failed }, reading })
  } catch (error) {
    answer({ kind: 'failed', message: errorSentence(error) })
  }
}

function answer(message: SplitAnswer): void {
  process.send?.(message, (error: Error | null) => error && process.exit())
}

function reportProgress(text: string): void {
  answer({ kind: 'progress', text })
}

/** An error loses its class between processes, so its message is sent. */
function attempt(run: () => void): void {
  try {
    run()
  } catch (error) {
    answer({ kind: 'failed', message: errorSentence(error) })
  }
}
