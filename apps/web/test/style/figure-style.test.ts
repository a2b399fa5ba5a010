import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIGURE_STYLE, paletteStyle } from '../../../../packages/quorate/src/figures/palette.ts'

const STYLE = join(import.meta.dirname, '../../src/style')

test('figures look the same in the app and in the report', () => {
  expect(declarations(fileText('figure.css'))).toEqual(declarations(FIGURE_STYLE))
})

test('the app has the colours of the report, light and dark', () => {
  const colours = [...paletteStyle(':root').matchAll(/--(\w+):(#\w+)/g)].map(([, name, value]) => `--${name}:${value}`)
  const palette = fileText('palette.css').replace(/\s/g, '')
  for (const colour of colours) expect(palette).toContain(`${colour};`)
})

function fileText(name: string): string {
  return readFileSync(join(STYLE, name), 'utf8')
}

/** Selectors with their declarations, regardless of white space. */
function declarations(css: string): string[] {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('}')
    .map((rule) =>
      rule
        .replace(/\s+/g, '')
        .replace(/;$/, '')
        .replace(/(^|[^0-9])0\./g, '$1.'),
    )
    .filter((rule) => rule !== '')
}
