import { expect, test } from 'vitest'
import type { MonitorView } from '../../src/contract/monitor.ts'
import { type Closing, closingLines, readmeLines, reviewLines } from '../../src/demo/demo-page.ts'
import { styleFor } from '../../src/text/style.ts'

const PAGE = { width: 100, style: styleFor({ color: false }) }
const CLOSING: Closing = {
  folder: 'quorate-demo',
  files: ['config', 'debates', 'report'],
  beta: 0.1,
  shift: false,
  decisions: 9,
  head: 'ab',
  commands: { demo: 'npm run demo --', quorate: 'npm run quorate --', typed: (path) => path },
}

const textOf = (closing: Partial<Closing>) => closingLines({ ...CLOSING, ...closing }, PAGE).join('\n')

test('names no port, because the app of the demo may already use the default one', () => {
  const readme = readmeLines(CLOSING, PAGE).join('\n')
  expect(readme).toContain('at the address that it prints')
  expect(textOf({}) + readme).not.toContain('4711')
})

test('the command of a demo without flags has no trailing dashes', () => {
  expect(textOf({ shift: true })).toMatch(/^ +npm run demo {2}/m)
  expect(textOf({})).toMatch(/^ +npm run demo -- --shift {2}/m)
})

test('explains a missing report', () => {
  expect(textOf({ files: ['config', 'debates'], beta: 0.001 })).toContain('there is no report.html: at this beta')
  expect(textOf({})).not.toContain('no report.html')
})

test('explains why more spot checks count than were labelled', () => {
  const monitor = (of: number) => ({
    policy: { state: 'live' as const, cause: null, reason: null, since: 1, by: null, note: null },
    spotChecks: { sampled: 118, wrong: { count: 4, of } } as MonitorView['spotChecks'],
    queue: { waiting: 60 } as MonitorView['queue'],
  })
  const review = { reviewer: 'demo', labelled: 108, left: 10, deferrals: 62 }
  const wordsOf = (of: number) =>
    reviewLines({ ...review, monitor: monitor(of) }, PAGE)
      .join(' ')
      .replace(/\s+/gu, ' ')
  expect(wordsOf(109)).toContain('labelled 108 of them: wrong on 4 of 109')
  expect(wordsOf(109)).toContain('%, 1 of which needs no label to count, being deferred. It also')
  expect(wordsOf(108)).toMatch(/wrong on 4 of 108, [^%]+ %\. It also/u)
})
