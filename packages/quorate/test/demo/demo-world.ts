import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@quorate/certificate'
import { afterAll } from 'vitest'
import type { DemoOptions } from '../../src/demo/demo-options.ts'
import type { DemoResult } from '../../src/demo/demo-result.ts'
import { runDemo } from '../../src/demo/run-demo.ts'
import { timeOrderedIds } from '../../src/store/time-ordered-id.ts'
import { pageWidth } from '../../src/text/page-frame.ts'
import { styleFor } from '../../src/text/style.ts'
import { timerSleep } from '../../src/traffic/timer-sleep.ts'
import { SAMPLE_KEY } from '../store/samples.ts'

export interface PlayedDemo {
  readonly text: string
  readonly reported: readonly string[]
  readonly result: DemoResult
  readonly folder: string
}

export interface SmallDemo
  extends Partial<Pick<DemoOptions, 'seed' | 'beta' | 'shift' | 'folder' | 'sizes' | 'world'>> {
  readonly color?: boolean
  readonly width?: number
}

/** A demo in this process, with fewer questions than the real one. */
export async function playDemo({ color = false, width = 80, ...chosen }: SmallDemo = {}): Promise<PlayedDemo> {
  const folder = chosen.folder ?? temporaryFolder()
  let text = ''
  const reported: string[] = []
  const options: DemoOptions = {
    seed: 2,
    beta: 0.2,
    shift: false,
    sizes: { labelled: 500, fresh: 150 },
    threads: 1,
    schemaPath: './schema.json',
    packageVersion: '0.0.0',
    world: demoWorld(),
    commands: { demo: 'quorate demo', quorate: 'quorate', typed: (path) => path },
    ...chosen,
    folder,
  }
  const result = await runDemo(options, {
    page: { width: pageWidth(width), style: styleFor({ color }) },
    print: (lines, end) => {
      text += `${lines.join('\n')}\n${end === 'open' ? '' : '\n'}`
    },
    log: (words) => void reported.push(words),
  })
  return { text, reported, result, folder }
}

export function demoWorld(stopping = new AbortController().signal): DemoOptions['world'] {
  let time = 1_790_000_000_000
  let salts = 0
  const now = () => ++time
  return {
    now,
    elapsed: now,
    sleep: timerSleep,
    random: seededRandom(1),
    stopping,
    aborting: stopping,
    newId: timeOrderedIds({ now, random: seededRandom(2) }),
    newSalt: () => `salt ${++salts}`,
    newKey: () => SAMPLE_KEY,
  }
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-demo-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
