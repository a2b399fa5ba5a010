import { writeWhole } from '../../files/write-whole.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { type FlagTable, flagsHelp, integersFlag, parseFlags } from '../flags/parse-flags.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  out: { value: 'FILE', about: 'file to write the graded debates to; one of this name is replaced' },
  'time-out': { value: 'SECONDS', about: 'for one answer; one that takes longer could not be told (default 30)' },
  json: { about: 'print counts as JSON' },
} satisfies FlagTable

const LONGEST_SECONDS = 86_400

export const gradeCommand: Command = {
  name: 'grade',
  help: `quorate grade DEBATES.jsonl --out GRADED.jsonl [flags] -- COMMAND [ARG...]

Says of the panel's answer of each round whether it is right, by a program such
as a test suite. It is started without a shell and reads one line of JSON: id,
round, answer, said (the answer in words), question, gold. Exit code 0 says
right, 1 says wrong; any other, a signal or the time-out says that it could not
tell, which never counts as right. The debates are written with their grades,
for calibrate, evaluate, plan, audit and report.

Flags
${flagsHelp(FLAGS)}
Example
  quorate grade debates.jsonl --out graded.jsonl -- python3 check.py --strict
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('grade', args, FLAGS, ['DEBATES.jsonl', 'COMMAND', '[ARG]...'])
    const [path = '', command = '', ...rest] = operands
    const out = flags.get('out')
    if (typeof out !== 'string' || out === '') throw new UsageError('grade: --out FILE is missing')
    const [seconds = 30] =
      integersFlag(flags, 'time-out', {
        expected: `a whole number from 1 to ${LONGEST_SECONDS}`,
        accepts: ([value = 0, ...more]) => more.length === 0 && value >= 1 && value <= LONGEST_SECONDS,
      }) ?? []
    const { debatesOfFile } = await import('../../run/calibration/recorded-debates.ts')
    const { gradeDebates } = await import('../../run/exchange/grade-debates.ts')
    const counts = { debates: 0, right: 0, wrong: 0, unknown: 0 }
    const graded = gradeDebates(debatesOfFile(path), { command, args: rest, timeOutMs: seconds * 1000 })
    async function* lines() {
      for await (const { debate, grades } of graded) {
        counts.debates += 1
        for (const { right } of grades) counts[right === null ? 'unknown' : right ? 'right' : 'wrong'] += 1
        yield Buffer.from(`${JSON.stringify(debate)}\n`)
      }
    }
    await writeWhole(out, lines())
    if (flags.has('json')) terminal.write(jsonLine({ quorate: 1, ...counts }))
    else {
      const { debates, right, wrong, unknown } = counts
      terminal.write(
        `Graded ${countText(debates)} debates: ${countText(right)} answers right, ${countText(wrong)} wrong, ` +
          `${countText(unknown)} that the program could not tell. Written to ${plainText(out)}.\n`,
      )
    }
    return EXIT.ok
  },
}
