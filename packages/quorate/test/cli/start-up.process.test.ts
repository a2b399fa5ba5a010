import { expect, test } from 'vitest'
import { measuredCommand } from '../efficiency/measured-command.ts'
import { fillSimulatedFolder } from '../efficiency/simulated-folder.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'

const SDKS = ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/openai-compatible', '@ai-sdk/amazon-bedrock', 'pg']

test('--help loads only the command line and its words: no certificate, no schemas, no database', async () => {
  const { loaded } = await measuredCommand(temporaryFolder(), ['--help'])
  // Of the layer `files`, only the module that reads the version.
  expect(loaded.toSorted()).toEqual(['quorate/bin', 'quorate/src/cli', 'quorate/src/files', 'quorate/src/text'])
})

test('validate loads no SDK and no database', async () => {
  const folder = temporaryFolder()
  fillSimulatedFolder(folder, { questions: 1, rounds: 1 })
  const { loaded } = await measuredCommand(folder, ['validate'])
  expect(loaded.filter((name) => [...SDKS, 'kysely'].includes(name))).toEqual([])
})

test('debate loads no SDK that its models do not use', async () => {
  const folder = temporaryFolder()
  fillSimulatedFolder(folder, { questions: 1, rounds: 1 })
  const { loaded } = await measuredCommand(folder, ['debate', 'questions.jsonl'])
  expect(loaded).toContain('kysely')
  expect(loaded.filter((name) => SDKS.includes(name))).toEqual([])
})
