import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { PRESET_KEYS, PRESETS, type StarterChoice } from '../../config/starter-files.ts'
import { alreadyThere, writeNew } from '../../config/write-new.ts'
import { packagePath } from '../../files/package-version.ts'
import { plainText } from '../../text/plain-text.ts'
import type { Command } from '../command.ts'
import { fileText, programName } from '../command-line.ts'
import { EXIT } from '../exit-code.ts'
import { type Flags, type FlagTable, flagsHelp, numberFlag, parseFlags, wordFlag } from '../flags/parse-flags.ts'
import { surroundings } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const FLAGS = {
  preset: {
    value: 'P',
    about:
      'simulated (default): a panel that needs no key and no network. local: Ollama models on this machine. openai, ' +
      'anthropic: three models of that provider. paper: Claude Haiku 4.5, a DeepSeek model and Qwen-3 32B with profile paper. ' +
      'labels: one set of labels for the rows of a CSV file',
  },
  beta: {
    value: 'B',
    about: 'largest share of questions on which the panel may act wrongly, above 0 and below 1 (default 0.1)',
  },
  prompts: { about: 'also write the prompts as files, with their placeholders explained' },
  yes: { about: 'ask no questions' },
} satisfies FlagTable

export const initCommand: Command = {
  name: 'init',
  help: `quorate init [DIR] [--preset P] [--beta B] [--yes]

Writes quorate.config.yaml and questions.jsonl (tickets.csv for the preset
labels) into DIR (default: the current folder). On a terminal it asks for the
settings that no flag gives. Otherwise, or with --yes, it uses the defaults. It
never overwrites a file. With the preset labels it keeps your tickets.csv.

Flags
${flagsHelp(FLAGS)}
Example
  quorate init my-panel --preset paper --beta 0.05
`,
  async run(args, terminal) {
    const { flags, operands } = parseFlags('init', args, FLAGS, ['[DIR]'])
    const folder = resolve(operands[0] ?? '.')
    const { CONFIG_NAMES } = await import('../../config/config.ts')
    const there = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (there !== undefined) throw alreadyThere(there)
    const isAsking = surroundings().stdin.isTTY === true && surroundings().stdout.isTTY === true && !flags.has('yes')
    const chosen = await chooseStarter(flags, isAsking ? askOnTerminal : null)
    if (chosen === null) return EXIT.interrupted

    const { starterConfig, starterPrompts, starterQuestions, starterTickets } = await import(
      '../../config/starter-files.ts'
    )
    const { makeFolder } = await import('../../files/write-whole.ts')
    await makeFolder(folder)
    const hasPrompts = flags.has('prompts')
    const isLabels = chosen.preset === 'labels'
    // A user who sorts tickets often has a file of this name already.
    const keepsTickets = isLabels && existsSync(join(folder, TICKETS))
    const about = { hasPrompts, hasSampleTickets: isLabels && !keepsTickets, schemaPath: schemaPath(folder) }
    const config = starterConfig({ ...chosen, ...about })
    const samples = isLabels
      ? { path: join(folder, TICKETS), text: starterTickets() }
      : { path: join(folder, QUESTIONS), text: starterQuestions() }
    await writeNew([
      ...(keepsTickets ? [] : [samples]),
      ...(hasPrompts ? starterPrompts().map(({ name, text }) => ({ path: join(folder, name), text })) : []),
      { path: join(folder, CONFIG_NAMES[0]), text: config },
    ])
    terminal.write(nextSteps(folder, CONFIG_NAMES[0], { ...chosen, keepsTickets }))
    return EXIT.ok
  },
}

/** Asks a question. An empty answer means `fallback`, and null means Ctrl-C or Ctrl-D. */
export type AskPerson = (question: string, fallback: string) => Promise<string | null>

/** Takes each setting from its flag, from the person, who is asked until the answer is valid, or from the defaults. */
export async function chooseStarter(flags: Flags, ask: AskPerson | null): Promise<StarterChoice | null> {
  const preset = await choose({
    given: wordFlag(flags, 'preset', PRESETS),
    ask:
      ask &&
      (() =>
        ask(
          'Panel: simulated (no key, no network), local (Ollama), openai, anthropic, paper or labels (rows of a CSV file)?',
          PRESETS[0],
        )),
    read: (text) => wordFlag(new Map([['preset', text]]), 'preset', PRESETS),
    fallback: PRESETS[0],
  })
  if (preset === null) return null
  const beta = await choose({
    given: flags.has('beta') ? betaOf(flags) : undefined,
    ask: ask && (() => ask('Largest share of questions it may act on wrongly (beta)?', String(BETA))),
    read: (text) => betaOf(new Map([['beta', text]])),
    fallback: BETA,
  })
  return beta === null ? null : { preset, beta }
}

const QUESTIONS = 'questions.jsonl'
const TICKETS = 'tickets.csv'
const BETA = 0.1

interface Choice<Value> {
  readonly given: Value | undefined
  readonly ask: (() => Promise<string | null>) | null
  readonly read: (text: string) => Value | undefined
  readonly fallback: Value
}

async function choose<Value>({ given, ask, read, fallback }: Choice<Value>): Promise<Value | null> {
  if (given !== undefined) return given
  while (ask !== null) {
    const text = await ask()
    if (text === null) return null
    try {
      return read(text) ?? fallback
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      surroundings().stderr.write(`${error.message.replace(/^--\w+ /, 'It ')}\n`)
    }
  }
  return fallback
}

function betaOf(flags: Flags): number {
  return numberFlag(flags, 'beta', {
    fallback: BETA,
    expected: 'a number above 0 and below 1, such as 0.05',
    accepts: (value) => value > 0 && value < 1,
  })
}

function askOnTerminal(question: string, fallback: string): Promise<string | null> {
  const lines = createInterface({ input: surroundings().stdin, output: surroundings().stdout })
  return new Promise((done) => {
    lines.once('close', () => done(null))
    lines.question(`${question} [${fallback}] `, (answer) => {
      done(answer.trim() === '' ? fallback : answer.trim())
      lines.close()
    })
  })
}

const SCHEMA = join('schema', 'quorate.config.schema.json')

/** The path of the schema for editors: in the nearest installed package, or else in the running one. */
export function schemaPath(folder: string): string {
  const inside = join('node_modules', 'quorate', SCHEMA)
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, inside))) return relativePath(folder, join(above, inside))
    if (dirname(above) === above) return relativePath(folder, packagePath(SCHEMA))
  }
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

/** `keepsTickets`: the tickets of the folder are the user's own. */
function nextSteps(
  folder: string,
  config: string,
  { preset, beta, keepsTickets }: StarterChoice & { readonly keepsTickets: boolean },
): string {
  const path = relative(process.cwd(), folder)
  const shown = (name: string) => plainText(join(path, name))
  const program = programName(surroundings().env, folder)
  const file = preset === 'labels' ? TICKETS : QUESTIONS
  const steps = [
    ...(path === '' ? [] : [`cd ${fileText(path)}`]),
    ...keySteps(PRESET_KEYS[preset]),
    `${program} validate`,
    '  what the config would call and what is missing',
    ...(PRESET_KEYS[preset].length > 0 ? [`${program} debate ${file} --dry-run`, '  what that would cost'] : []),
    ...(preset === 'labels'
      ? [
          `${program} run ${TICKETS} --out decided.csv`,
          keepsTickets
            ? '  once a few hundred rows have a label'
            : '  with simulated models, which need no key and no network',
        ]
      : [`${program} debate ${QUESTIONS}`, '  debates for calibration']),
  ]
  const samples = keepsTickets
    ? `${shown(file)} is yours and was kept: name its columns (questions) and your labels in\nthe config.`
    : `and ${shown(file)} (${preset === 'labels' ? '500 samples, 300 of them with a label' : 'ten samples'}).`
  return `Wrote ${shown(config)} (${preset} panel, beta ${beta})
${samples}

Next
${steps.map((step) => `  ${plainIndented(step)}\n`).join('')}`
}

function keySteps(names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return [`set ${names.join(' and ')}`, '  in the environment, or in .env beside the config']
}

/** The name of a folder may contain anything, including control characters. */
function plainIndented(line: string): string {
  return line.startsWith(' ') ? `  ${plainText(line)}` : plainText(line)
}
