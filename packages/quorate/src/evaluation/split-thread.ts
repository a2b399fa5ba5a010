import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { evaluatedFile, halves, policyNamed, tallySplit } from '@quorate/certificate'
import { readDebateFile } from '../files/read-debate-file.ts'
import { errorSentence } from '../report/error-sentence.ts'
import { countText } from '../report/number-text.ts'
import type { SplitAnswer, SplitOrder, SplitWork } from './split-messages.ts'

// The entry of a thread: it reads the file once and evaluates the splits that it is sent, until it is told to end. It begins when
// this module is evaluated, see firstSign.
const port = parentPort
if (port !== null) setImmediate(() => void work(port, workerData as SplitWork)) // sent by evaluateFile

async function work(port: MessagePort, { path, file, policies, ...task }: SplitWork): Promise<void> {
  const answer = (message: SplitAnswer) => port.postMessage(message)
  const telling = (text: string) => answer({ kind: 'progress', text })
  try {
    const { panels, questionOf, unlabelled, failed } = await readDebateFile(path, {
      ...file,
      progress: (lines) => telling(`reading line ${countText(lines)}`),
    })
    const questions = panels.panels.map(({ record }) => questionOf(record.id))
    const protocol = file.growingPanel ? 'growing-panel' : 'debate'
    const named = policies.map(policyNamed)
    port.on('message', (order: SplitOrder) => {
      if (order.kind === 'end') return port.close()
      const { seed } = order
      attempt(answer, () => {
        const progress = (name: string) => telling(`fitting ${name}`)
        const split = { ...task, policies: named, seed, questionOf, protocol, progress } as const
        answer({ kind: 'split', tally: tallySplit(panels, halves(questions, seed), split) })
      })
    })
    answer({ kind: 'read', file: evaluatedFile(panels), leftOut: { unlabelled, failed } })
  } catch (error) {
    answer({ kind: 'failed', message: errorSentence(error) })
  }
}

/** Errors lose their class between threads; what they say must not be lost. */
function attempt(answer: (message: SplitAnswer) => void, run: () => void): void {
  try {
    run()
  } catch (error) {
    answer({ kind: 'failed', message: errorSentence(error) })
  }
}
