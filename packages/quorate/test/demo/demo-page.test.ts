import { expect, test } from 'vitest'
import { type Closing, closingLines, readmeLines } from '../../src/demo/demo-page.ts'
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
