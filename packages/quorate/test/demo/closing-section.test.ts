import { expect, test } from 'vitest'
import { type Closing, closingSection } from '../../src/demo/closing-section.ts'
import { styleFor } from '../../src/text/style.ts'

const PAGE = { width: 100, style: styleFor({ color: false }) }
const CLOSING: Closing = {
  ...{
    folder: 'quorate-demo',
    files: ['config', 'debates', 'report'],
    beta: 0.1,
    shift: false,
    decisions: 9,
    head: 'ab',
  },
  commands: { demo: 'npm run demo --', quorate: 'npm run quorate --', typed: (path) => path },
}

const textOf = (closing: Partial<Closing>) => closingSection({ ...CLOSING, ...closing }, PAGE).join('\n')

test('names no port, as the demo’s own app may have taken the usual one', () => {
  expect(textOf({})).toContain('at the address that it prints')
  expect(textOf({})).not.toContain('4711')
})

test('a demo without flags is typed without the dashes before them', () => {
  expect(textOf({ shift: true })).toMatch(/^ {2}npm run demo$/m)
  expect(textOf({})).toMatch(/^ {2}npm run demo -- --shift$/m)
})

test('says why there is no report where there is none', () => {
  expect(textOf({ files: ['config', 'debates'], beta: 0.001 })).toContain('No report.html: at this beta')
  expect(textOf({})).not.toContain('No report.html')
})
