import { join } from 'node:path'
import { plan, readPanels, splitSeeds, usualBudget } from '@quorate/certificate'
import { makeFolder, writeWhole } from '../files/write-whole.ts'
import { heading, type PageFrame, pageWidth } from '../report/page-frame.ts'
import { plainText } from '../report/plain-text.ts'
import { planAnswer } from '../report/plan-sentences.ts'
import { styleFor } from '../report/style.ts'
import { hangingText, wrapText } from '../report/wrap-text.ts'
import { simulatePanel } from '../simulated/simulate-panel.ts'
import { budgetSection } from './budget-section.ts'
import { calibrated, PROFILES, type Trial } from './calibrated.ts'
import { operatingSection } from './operating-section.ts'
import { panelSection } from './panel-section.ts'
import { playsSection } from './plays-section.ts'
import { reachSection } from './reach-section.ts'

export interface DemoOptions {
  /** Seed of everything drawn in the demo. */
  readonly seed: number
  /** Largest share of questions on which the panel may act wrongly. */
  readonly beta: number
  readonly color: boolean
  /** Columns of the terminal. */
  readonly width: number
  /** Where the debates are left. */
  readonly folder: string
  /** What to type to run the demo again, and to run another command. */
  readonly commands: { readonly demo: string; readonly quorate: string }
}

const LABELLED = 4000
const FRESH = 2000

/** Calibrates a simulated panel, measures what its budget allows and plays three of its debates. */
export async function runDemo(
  { seed, beta, folder, color, width, commands }: DemoOptions,
  write: (text: string) => void,
): Promise<void> {
  const page: PageFrame = { width: pageWidth(width), style: styleFor({ color }) }
  const print = (lines: readonly string[]) => write(`${lines.join('\n')}\n\n`)

  print([
    `${heading('quorate demo', page)}, seed ${seed}`,
    'simulated panel, no model is called, nothing leaves this machine',
  ])
  const debates = simulatePanel({ seed, count: LABELLED + FRESH })
  const trial: Trial = {
    labelled: debates.slice(0, LABELLED),
    fresh: debates.slice(LABELLED),
    budget: usualBudget(beta),
  }
  print(panelSection(trial.labelled, page))
  const file = join(folder, 'debates.jsonl')
  await makeFolder(folder)
  await writeWhole(file, debates.map((debate) => `${JSON.stringify(debate)}\n`).join(''))

  // Each profile is named when its turn comes: a slow machine shows where it is.
  write('Calibrating')
  const runs = PROFILES.map((profile) => {
    write(` ${profile} ...`)
    return calibrated(profile, trial)
  })
  write(' done\n\n')
  print(budgetSection(runs, page))
  print(operatingSection(runs, beta, page))

  const chosen = runs.find(({ decided }) => decided.some(({ decision }) => decision.kind === 'act'))
  const [first] = runs
  if (chosen !== undefined) print(playsSection(chosen, page))
  else if (first !== undefined) {
    print(reachSection(first, page))
    print(planSection(trial, page))
  }
  print(nextSteps({ commands, beta, file }, page))
}

/** What the planner says of the same labels: the smallest budget within reach, and how many labels are missing. */
function planSection({ labelled, budget }: Trial, page: PageFrame): string[] {
  const planned = plan(readPanels(labelled), { profile: 'cells', budget, seeds: splitSeeds(3) })
  return [heading('Plan', page), ...wrapText(planAnswer(planned), page.width)]
}

interface NextSteps extends Pick<DemoOptions, 'commands' | 'beta'> {
  readonly file: string
}

function nextSteps({ commands, beta, file }: NextSteps, page: PageFrame): string[] {
  const steps = [
    beta === 0.001
      ? [`${commands.demo} --beta 0.2`, 'a budget that leaves room']
      : [`${commands.demo} --beta 0.001`, 'a budget that only deferring can keep'],
    [`${commands.demo} --seed 11`, 'other questions and labels, the same promise'],
    [`${commands.quorate} evaluate ${plainText(file)} --beta ${beta}`, 'every baseline on these debates'],
    [`${commands.quorate} plan ${plainText(file)} --beta ${beta}`, 'what these labels can reach, which are missing'],
    [`${commands.quorate} audit ${plainText(file)} --beta ${beta}`, 'which assumptions they contradict'],
    [`${commands.quorate} report ${plainText(file)} --beta ${beta}`, 'one page with every figure and audit'],
    ['import @quorate/certificate', 'calibrate and decide on your own labelled debates'],
  ] as const
  return [
    heading('Next', page),
    ...steps.flatMap(([command, text]) => [`  ${command}`, ...hangingText('      ', text, page.width)]),
  ]
}
