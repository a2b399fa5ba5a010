import { expect, test } from 'vitest'
import { temporaryFolder } from '../store/temporary-folder.ts'
import { measuredCommand } from './measured-command.ts'
import { fillSimulatedFolder } from './simulated-folder.ts'

const MEGABYTE = 2 ** 20

async function megabytes(args: readonly string[], questions: number): Promise<number> {
  const folder = temporaryFolder()
  fillSimulatedFolder(folder, { questions, rounds: 1 })
  return (await measuredCommand(folder, args)).maxRssBytes / MEGABYTE
}

// Rounds and agents are few, since memory is to be independent of questions; `npm run bench -- panel` takes whole debates.
test.each([
  ['debate', ['debate', 'questions.jsonl']],
  ['debate --dry-run', ['debate', 'questions.jsonl', '--dry-run']],
])('%s takes less than 300 MB, and no more for 6,000 questions than for 1,000', async (_name, args) => {
  const few = await megabytes(args, 1000)
  const many = await megabytes(args, 6000)
  expect(many).toBeLessThan(300)
  expect(many - few).toBeLessThan(40)
})
