import { type Audit, type Debate, type LocalOptions, resolveProfileBudget, usualBudget } from '@quorate/certificate'
import { describe, expect, test } from 'vitest'
import { auditCommand } from '../../../src/cli/commands/audit-command.ts'
import { simulatePanel } from '../../../src/simulated/simulate-panel.ts'
import { budgetLine } from '../../../src/text/budget-line.ts'
import { textColumns } from '../../../src/text/text-columns.ts'
import { temporaryFolder } from '../../files/temporary-files.ts'
import { runMain } from '../run-main.ts'

const files = temporaryFolder()
const debates = simulatePanel({ seed: 3, count: 1200 })
const file = files.write('debates.jsonl', debates)

/** Runs the command in this process. The output shows the temporary file by the path that a user would have typed. */
async function audited(path: string, ...args: string[]) {
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  const status = await auditCommand.run([path, ...args], { write, color: false, width: 80 })
  return { status, stdout: written.join('').replaceAll(path, 'debates.jsonl') }
}

const isRight = ({ rounds, gold }: Debate) =>
  (rounds.at(-1) ?? []).filter(({ answer }) => answer === gold).length > (rounds.at(-1) ?? []).length / 2

describe('quorate audit', () => {
  test('of debates that contradict nothing exits with 0 and states that this proves nothing', async () => {
    const { status, stdout } = await audited(file, '--beta', '0.15')
    expect(status).toBe(0)
    expect(stdout).toContain('Falsification checks, never proofs.')
    expect(stdout).toMatch(/^Verdict {2}○ not falsified$/m)
    const page = stdout.replace(/\s+/g, ' ')
    expect(page).toContain('Profile total Budget beta 0.150 (of all questions wrong, with confidence), floor 0.700')
    expect(page).toContain('in every class that it acts on at least 70 % of the new debates')
    expect(page).not.toContain('epsilon = ')
    expect(Math.max(...stdout.split('\n').map(textColumns))).toBeLessThanOrEqual(80)
    expect(stdout).not.toMatch(/NaN|undefined|Infinity|null|\[object|(?!\n)\p{Cc}/u)
    await expect(stdout).toMatchFileSnapshot('transcripts/audit.txt')
  })

  test('of cells names the claim of cells and tries the earlier half on the later', async () => {
    const { status, stdout } = await audited(file, '--beta', '0.15', '--profile', 'cells')
    expect(status).toBe(0)
    const page = stdout.replace(/\s+/g, ' ')
    expect(page).toContain('Profile cells Budget beta 0.150')
    expect(page).toContain('Averaged over calibration sets, at most beta of the debates that reach a cell')
    expect(page).toContain('later half')
    expect(page).toContain('accuracy by group')
  })

  test('prints the budget of the chosen neighbourhoods, which depends on their sizes', async () => {
    const { stdout } = await audited(file, '--beta', '0.15', '--profile', 'tight', '--k-family', '16,32')
    const rounds = debates[0]?.rounds.length ?? 0
    const lineOf = (local: LocalOptions) =>
      budgetLine(resolveProfileBudget('audit', usualBudget(0.15), 'tight', rounds, local))
    expect(lineOf({ kFamily: [16, 32] })).not.toBe(lineOf({}))
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Budget ${lineOf({ kFamily: [16, 32] })}`)
  })

  test('of a stream that gets worse exits with 30, names the check and what to do', async () => {
    const sorted = debates.toSorted((a, b) => Number(isRight(b)) - Number(isRight(a)))
    const path = files.write('worse.jsonl', sorted)
    const { status, stdout } = await audited(path, '--beta', '0.15', '--profile', 'paper')
    expect(status).toBe(30)
    expect(stdout).toMatch(/^✕ falsified {2}exchangeability-permutation$/m)
    expect(stdout.replace(/\s+/g, ' ')).toContain('too much to be chance. Next The stream changes over time')
    await expect(stdout).toMatchFileSnapshot('transcripts/audit-falsified.txt')
    const unordered = await audited(path, '--beta', '0.15', '--profile', 'paper', '--unordered')
    expect(unordered.status).toBe(0)
    expect(unordered.stdout).not.toContain('exchangeability')
  })

  test('--json prints the audit and nothing else, the same for a seed', async () => {
    const run = () => audited(file, '--beta', '0.2', '--profile', 'tight', '--seed', '11', '--json')
    const { stdout } = await run()
    const found: Audit = JSON.parse(stdout)
    expect(found).toMatchObject({ profile: 'tight', beta: 0.2, seed: 11, calibration: 600, heldOut: 600 })
    expect(found.checks.map(({ name }) => name)).toContain('smoothness')
    expect(await run()).toEqual({ status: 0, stdout })
  })

  test('group names cannot steer the terminal', async () => {
    const hostile = debates.map((debate, row) => ({
      ...debate,
      group: row % 2 ? '\u2028\u200blaw\u202e' : 'a'.repeat(300),
    }))
    const path = files.write('hostile.jsonl', hostile)
    for (const profile of ['tight', 'cells']) {
      const { stdout } = await audited(path, '--beta', '0.3', '--profile', profile)
      expect(stdout).toContain('law')
      expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
      expect(Math.max(...stdout.split('\n').map(textColumns))).toBeLessThanOrEqual(80)
    }
  })

  test('an invalid profile or beta is refused with a message', async () => {
    await expect(audited(file, '--beta', '0.1', '--profile', 'papr')).rejects.toThrow('Did you mean paper?')
    await expect(audited(file)).rejects.toThrow('--beta is missing')
  })

  test('is a command of the program, with help', async () => {
    const { status, stdout } = await runMain(['help', 'audit'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: auditCommand.help })
    expect((await runMain(['audit', file, '--beta', '0.15', '--json'])).status).toBe(0)
  })
})
