import { createInterface } from 'node:readline/promises'
import type { PersonPrompt } from '../model/manual-model.ts'
import { plainText } from '../report/plain-text.ts'

/** Asks the person at this terminal; the question goes to standard error, so that the output stays clean. */
export const personPrompt: PersonPrompt = async (text) => {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const lines = text.split('\n').map(plainText)
    return await reader.question(`\n${lines.join('\n')}\n\nYour answer, on one line: `)
  } finally {
    reader.close()
  }
}
