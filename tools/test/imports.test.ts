import { expect, test } from 'vitest'
import { importsOf } from '../imports.ts'

test('finds every form of import and export, over several lines too', () => {
  const source = [
    "import { a } from './a.ts'",
    "import type { B } from './b.ts'",
    'import {',
    '  c,',
    '  type D,',
    "} from './c.ts'",
    "import './effect.ts'",
    "export { e } from './e.ts'",
    "export type { F } from './f.ts'",
    "export * from './g.ts'",
    "const later = await import('./later.ts')",
  ].join('\n')
  expect(importsOf(source)).toEqual([
    { specifier: './a.ts', runtime: true },
    { specifier: './b.ts', runtime: false },
    { specifier: './c.ts', runtime: true },
    { specifier: './effect.ts', runtime: true },
    { specifier: './e.ts', runtime: true },
    { specifier: './f.ts', runtime: false },
    { specifier: './g.ts', runtime: true },
    { specifier: './later.ts', runtime: true },
  ])
})

test('is not fooled by comments, exported strings and types', () => {
  const source = [
    " * import { a } from './comment.ts'",
    "export const from = 'x'",
    "export type Kind = 'act' | 'defer'",
    "export const text = `from './template.ts'`",
  ].join('\n')
  expect(importsOf(source)).toEqual([])
})
