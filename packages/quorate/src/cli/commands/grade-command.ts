import { existsSync } from 'node:fs'
import { writeWhole } from '../../files/write-whole.ts'
import type { Run, Store } from '../../store/store.ts'
import { jsonLine } from '../../text/json-line.ts'
import { countOf, countText } from '../../text/number-text.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { fileText, programName } from '../command-line.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CONFIG_FLAGS } from '../flags/config-flags.ts'
import { type Flags, type FlagTable, flagsHelp, integersFlag, parseFlags } from '../flags/parse-flags.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  out: { value: 'FILE', about: 'file to write to. An existing file is replaced' },
  'time-out': {
    value: 'SECONDS',
    about: 'time for one answer. One that takes longer counts as cannot tell (default 30)',
  },
  sample: {
    value: 'N',
    about:
      'write a random sample of N debates that a model graded, as CSV for people to grade again. Grades that are already in the file are kept',
  },
  run: {
    value: 'ID',
    about: 'with --sample: sample the debates of this run instead of a file (an ID prefix is enough)',
  },
  config: CONFIG_FLAGS.config,
  store: CONFIG_FLAGS.store,
  json: { about: 'print counts as JSON' },
} satisfies FlagTable

const LONGEST_SECONDS = 86_400
const MOST_SAMPLED = 100_000

export const gradeCommand: Command = {
  name: 'grade',
  help: `quorate grade DEBATES.jsonl --out GRADED.jsonl [flags] -- COMMAND [ARG...]
quorate grade --run ID --sample N --out REGRADE.csv [flags]
quorate grade DEBATES.jsonl --sample N --out REGRADE.csv [flags]

Grades the panel's answer of each round with a program such as a test suite. The
program is started without a shell and reads one line of JSON: id, round,
answer, answer_text (the answer in words), question, gold. Exit code 0 means
right and 1 means wrong. Any other code, a signal or the time-out means that it
could not tell, which never counts as right. The command writes the debates with
their grades, for calibrate, evaluate, plan, audit and report. The program
inherits your environment with its keys. If it runs answers as code, start it in
a sandbox with env -i.

If a model graded the debates (grader of the config), its error is part of the
promise. With --sample, grade writes a random sample for people to grade. They
write yes, no or cannot tell into the column right, and calibrate or run reads
the file with --regrades. The sample is derived from the run. It is the same
each time, and a larger sample contains the smaller one. The store records the
sample (for a file of debates, FILE.sample.json does), and --regrades refuses a
file that lacks part of it.

Flags
${flagsHelp(FLAGS)}
Examples
  quorate grade debates.jsonl --out graded.jsonl -- python3 check.py --strict
  quorate grade --run 0198c0de --sample 200 --out regrade.csv
`,
  async run(args, terminal) {
    const has = (name: string) => args.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`))
    const operandNames = has('sample')
      ? has('run')
        ? []
        : ['DEBATES.jsonl']
      : ['DEBATES.jsonl', 'COMMAND', '[ARG]...']
    const { flags, operands } = parseFlags('grade', args, FLAGS, operandNames)
    const out = flags.get('out')
    if (typeof out !== 'string' || out === '') throw new UsageError('grade: --out FILE is missing')
    if (flags.has('sample')) return writeSample(flags, operands[0] ?? null, out, terminal)
    if (flags.has('run'))
      throw new UsageError('grade: --run needs --sample, because the grader of the config grades the debates of a run')
    return gradeByCommand(flags, operands, out, terminal)
  },
}

async function gradeByCommand(
  flags: Flags,
  operands: readonly string[],
  out: string,
  terminal: Terminal,
): Promise<ExitCode> {
  const [path = '', command = '', ...rest] = operands
  const seconds = oneNumber(flags, 'time-out', LONGEST_SECONDS) ?? 30
  const { debatesOfFile } = await import('../../run/calibration/recorded-debates.ts')
  const { gradeDebates } = await import('../../run/exchange/grade-debates.ts')
  const counts = { debates: 0, right: 0, wrong: 0, unknown: 0 }
  let last: string | null = null
  const onUnknown = (why: string) => {
    last = why
  }
  const graded = gradeDebates(debatesOfFile(path), { command, args: rest, timeOutMs: seconds * 1000, onUnknown })
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
        `${countText(unknown)} that the program could not tell${last === null ? '' : ` (the last one: ${last})`}. ` +
        `Written to ${plainText(out)}. Then:\n  ${programName()} calibrate ${plainText(fileText(out))} --out certificate.json\n`,
    )
  }
  return EXIT.ok
}

/** Writes a sample of graded debates. `path` is null if they come from a run. */
async function writeSample(flags: Flags, path: string | null, out: string, terminal: Terminal): Promise<ExitCode> {
  const { debatesOfFile, debatesOfRun } = await import('../../run/calibration/recorded-debates.ts')
  const { sampleRegrades, readRegrades } = await import('../../run/exchange/regrades.ts')
  const count = oneNumber(flags, 'sample', MOST_SAMPLED) ?? 0
  const kept = existsSync(out) ? await readRegrades(out, { isPartial: true }) : null
  const { sampleOfFile, sampleOfRun } = await import('../../run/exchange/regrade-sample.ts')
  const sampled = await (path === null
    ? fromRun(flags, (store, run) => {
        const sample = sampleOfRun(store, run.id, Date.now)
        return sampleRegrades(debatesOfRun(store, run), { key: run.id, count, sample, kept })
      })
    : sampleRegrades(debatesOfFile(path), { key: '', count, sample: sampleOfFile(path), kept }))
  await writeWhole(out, sampled.lines)
  const { debates, rows } = sampled
  if (flags.has('json')) {
    terminal.write(jsonLine({ quorate: 1, debates, rows, file: out }))
    return EXIT.ok
  }
  const source = path === null ? `--run ${String(flags.get('run'))}` : fileText(path)
  terminal.write(
    `Wrote ${countOf(rows, 'answer')} of ${countOf(debates, 'debate')}, a random sample, to ${plainText(out)}. Write yes, no or ` +
      'cannot tell into the column right, without looking at the grades of the model. Then:\n' +
      `  ${programName()} calibrate ${plainText(source)} --regrades ${plainText(fileText(out))} --out certificate.json\n`,
  )
  return EXIT.ok
}

async function fromRun<Result>(flags: Flags, use: (store: Store, run: Run) => Promise<Result>): Promise<Result> {
  const { openStoreOf } = await import('../configured-store.ts')
  const { findRun } = await import('../../run/find-run.ts')
  const store = await openStoreOf(flags)
  try {
    return await use(store, await findRun(store, String(flags.get('run'))))
  } finally {
    await store.close()
  }
}

function oneNumber(flags: Flags, name: string, most: number): number | undefined {
  const [value] =
    integersFlag(flags, name, {
      expected: `a whole number from 1 to ${most}`,
      accepts: ([first = 0, ...more]) => more.length === 0 && first >= 1 && first <= most,
    }) ?? []
  return value
}
