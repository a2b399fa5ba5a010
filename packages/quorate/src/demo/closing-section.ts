import { join } from 'node:path'
import { countText } from '../text/number-text.ts'
import { heading, type PageFrame } from '../text/page-frame.ts'
import { plainText } from '../text/plain-text.ts'
import { tableLines } from '../text/table.ts'
import { hangingText, wrapText } from '../text/wrap-text.ts'
import { DEMO_FILES, type DemoFile } from './demo-folder.ts'

/** What to type, from the folder where the demo was started. */
export interface DemoCommands {
  /** To run the demo again. */
  readonly demo: string
  /** Before the name of any other command. */
  readonly quorate: string
  /** A path as it is typed. */
  readonly typed: (path: string) => string
}

export interface Closing {
  readonly folder: string
  readonly files: readonly DemoFile[]
  readonly beta: number
  readonly shift: boolean
  /** Decisions of the bundle that came out again, and the last hash of its chain. */
  readonly decisions: number
  readonly head: string
  readonly commands: DemoCommands
}

/** The files left behind, with what each is. */
export function fileLines({ files }: Pick<Closing, 'files'>): string[] {
  return tableLines(
    files.map((file) => [DEMO_FILES[file].name, DEMO_FILES[file].about]),
    ['left', 'left'],
  ).map((line) => `  ${line}`)
}

export function nextLines(closing: Closing, page: PageFrame): string[] {
  return nextSteps(closing).flatMap(([command, text]) => [
    ...command.split('\n').map((line) => `  ${line}`),
    ...hangingText('      ', text, page.width),
  ])
}

export function closingSection(closing: Closing, page: PageFrame): string[] {
  const { folder, decisions } = closing
  const verified =
    `The bundle was verified: it is consistent and ${countText(decisions)} decisions come out again. That no byte of it ` +
    'has changed shows only against its head: note it elsewhere, it is in the first command below.'
  return [
    heading(`Left behind in ${plainText(folder)}`, page),
    ...fileLines(closing),
    ...(closing.files.includes('report') ? [] : wrapText(NO_REPORT, page.width)),
    ...wrapText(verified, page.width),
    '',
    heading('Next', page),
    ...nextLines(closing, page),
  ]
}

const NO_REPORT = `No ${DEMO_FILES.report.name}: at this beta there is nothing to act with, and so nothing to report on.`

/** A command may go over several lines. */
type Step = readonly [command: string, text: string]

function nextSteps({ folder, files, beta, shift, head, commands }: Closing): Step[] {
  const file = (name: DemoFile) => plainText(commands.typed(join(folder, DEMO_FILES[name].name)))
  const { quorate, demo } = commands
  const withBeta = `${file('debates')} --beta ${beta}`
  const steps: readonly (Step | null)[] = [
    [
      `${quorate} serve --config ${file('config')} --open`,
      'the app on all of this, at the address that it prints; --port N chooses another',
    ],
    // A head is too long for the line of its command.
    [`${quorate} verify ${file('bundle')} --head \\\n  ${head}`, 'unchanged, and every decision comes out again'],
    files.includes('report')
      ? [`${quorate} evaluate ${withBeta}`, 'every rule on random halves of these debates']
      : null,
    files.includes('report')
      ? [`${quorate} audit ${withBeta}`, 'every check in full, with what to do about it']
      : [`${quorate} plan ${withBeta}`, 'what these labels can reach, and how many are missing'],
    shift
      ? [demo.replace(/ --$/, ''), 'the same with new questions of the usual mix']
      : [`${demo} --shift`, 'new questions of another mix: the audit sees it'],
    beta === 0.001
      ? [`${demo} --beta 0.2`, 'a budget that leaves room']
      : [`${demo} --beta 0.001`, 'a budget out of reach: what is within it, and what labels it takes'],
    [`${quorate} init my-panel`, 'a config for your own questions'],
  ]
  return steps.flatMap((step) => (step === null ? [] : [step]))
}
