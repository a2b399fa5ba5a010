import { createInterface } from 'node:readline/promises'
import type { PersonPrompt } from '../model/manual-model.ts'
import { plainText } from '../text/plain-text.ts'
import { surroundings } from './terminal.ts'

/** Whether somebody can read a question and type an answer here. */
export function hasPerson(): boolean {
  return surroundings().stdin.isTTY === true && surroundings().stderr.isTTY === true
}

/** Asks the person at this terminal; the question goes to standard error, so that the output stays clean. */
export const personPrompt: PersonPrompt = async (text, signal) => {
  const reader = createInterface({ input: surroundings().stdin, output: surroundings().stderr })
  // The reader takes Ctrl-C from the terminal: whoever listens for it must hear it all the same.
  reader.on('SIGINT', () => process.emit('SIGINT'))
  const left = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    const lines = text.split('\n').map(plainText)
    const typed = reader.question(`\n${lines.join('\n')}\n\nYour answer, on one line: `, { signal })
    // Lost against `left`, a question of a closed reader may still reject.
    typed.catch(() => undefined)
    const answer = await Promise.race([typed, left])
    // What was pasted may steer terminals that show it later.
    return answer === null ? null : plainText(answer)
  } finally {
    reader.close()
  }
}
