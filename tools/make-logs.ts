import { parseArgs } from 'node:util'
import {
  lmEvalSample,
  MODELS,
  madeUpAnswers,
  writeJsonLines,
} from '../packages/quorate/test/run/exchange/made-up-logs.ts'

/** make-logs.ts FOLDER: writes made-up logs of three models in the format of lm-eval, for docs/guides/from-logs.md. */
const { positionals } = parseArgs({ allowPositionals: true })
const [folder = '.quorate/logs'] = positionals
const answers = madeUpAnswers(1200)

for (const [index, model] of MODELS.entries()) {
  const samples = answers.map((answer, id) => lmEvalSample(answer, index, id))
  writeJsonLines(`${folder}/${model}/samples_puzzles_2026-11-16T10-00-00.000000.jsonl`, samples)
}
