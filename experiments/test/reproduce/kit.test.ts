import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runMain } from '../../../packages/quorate/test/cli/run-main.ts'
import { type KitOptions, readKitOptions, runKit } from '../../src/reproduce/real/kit.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'quorate-kit-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Rows as GPQA publishes them, made up: the right answer is always "yes". */
function gpqaFile(place: string, count: number): string {
  const head = 'Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,High-level domain'
  const rows = Array.from({ length: count }, (_, at) => {
    const kind = at % 5 === 0 ? 'hard' : 'easy'
    return `Is the ${kind} number ${at} a number?,yes,no,maybe,never,${at % 2 === 0 ? 'Physics' : 'Biology'}`
  })
  const path = join(place, 'gpqa.csv')
  writeFileSync(path, `${[head, ...rows].join('\n')}\n`)
  return path
}

/** A panel without costs. It is right on easy questions and wrong on hard ones, where one agent dissents. */
function writePanel(place: string): void {
  const say = (answer: string) => `<answer-{code}>${answer}</answer-{code}>`
  const script = (hard: string) =>
    `${JSON.stringify({ when: 'the hard number', say: say(hard) })}\n${JSON.stringify({ say: say('yes') })}\n`
  writeFileSync(join(place, 'ada.jsonl'), script('no'))
  writeFileSync(join(place, 'bob.jsonl'), script('no'))
  writeFileSync(join(place, 'cleo.jsonl'), script('maybe'))
  const agents = ['ada', 'bob', 'cleo'].map((name) => ({ name, model: `scripted/${name}.jsonl` }))
  const config = {
    panel: { agents, rounds: 2, beliefs: 'vote' },
    budget: { beta: 0.15 },
    certificate: { profile: 'paper' },
  }
  writeFileSync(join(place, 'quorate.config.json'), JSON.stringify(config))
}

function world(said: string[]) {
  return {
    async quorate(args: readonly string[], place: string) {
      const { status, stdout, stderr } = await runMain(args, {
        cwd: place,
        env: { XDG_CONFIG_HOME: join(place, 'home') },
      })
      said.push(`$ quorate ${args.join(' ')}`, stdout, stderr)
      return status
    },
    print: (text: string) => void said.push(text),
  }
}

function optionsFor(place: string, more: Partial<KitOptions> = {}): KitOptions {
  const rest = { splits: 2, debateFlags: [], isDryRun: false, ...more }
  return { benchmark: 'gpqa', files: [gpqaFile(place, 200)], folder: place, ...rest }
}

describe('the kit for real models', () => {
  test('from the file of a benchmark to the tables beside the paper', async () => {
    const place = folder()
    writePanel(place)
    const said: string[] = []
    const dry = await runKit(optionsFor(place, { isDryRun: true }), world(said))
    expect(dry, said.join('\n')).toBe(0)
    expect(said.join('\n')).toContain('--dry-run')
    expect(existsSync(join(place, 'debates.jsonl'))).toBe(false)

    const code = await runKit(optionsFor(place), world(said))
    expect(code, said.join('\n')).toBe(0)
    const tables = readFileSync(join(place, 'TABLES.md'), 'utf8')
    expect(tables).toContain('200 debates of 2 rounds. The last answer is wrong on 20.0 %.')
    expect(tables).toContain('Table 1: training-selected budgets')
    expect(tables).toContain('Consensus')
    expect(tables).not.toMatch(/NaN|undefined/)

    // A second run resumes from the stored debates and asks no model again.
    const again = await runKit(optionsFor(place, { debateFlags: ['--resume'] }), world(said))
    expect(again, said.slice(-6).join('\n')).toBe(0)
    expect(readFileSync(join(place, 'TABLES.md'), 'utf8')).toBe(tables)
  })

  test('without a config writes that of the paper, and ends with the exit code of the step that failed', async () => {
    const place = folder()
    const said: string[] = []
    const code = await runKit(optionsFor(place, { isDryRun: true }), world(said))
    expect(readFileSync(join(place, 'quorate.config.yaml'), 'utf8')).toContain('anthropic/claude-haiku-4-5')
    expect(code, said.join('\n')).toBe(0)
    const missing = { ...optionsFor(place), files: [join(place, 'nothing.csv')] }
    expect(await runKit(missing, world(said))).not.toBe(0)
  })

  test.each([
    [['--real', 'bbh', 'x'], '--real: expected gpqa or mmlu-pro, got bbh'],
    [['--real', 'gpqa'], '--real gpqa needs the files of the benchmark'],
    [['--real', 'gpqa', 'x', '--splits', '0'], '--splits: expected 1 to 10, got 0'],
    [['--real', 'gpqa', 'x', '--maxcost', '3'], 'Unknown option'],
  ])('%j is refused in words', (words, message) => {
    expect(readKitOptions(words)).toContain(message)
  })

  test('flags of debate are passed on', () => {
    const read = readKitOptions(['--real', 'mmlu-pro', 'a.parquet', '--max-cost', '30', '--resume', '--dry-run'])
    expect(read).toMatchObject({ benchmark: 'mmlu-pro', debateFlags: ['--resume', '--max-cost', '30'], isDryRun: true })
  })
})
