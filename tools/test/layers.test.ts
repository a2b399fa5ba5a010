import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { layerOffences, runtimeCycle } from '../layers.ts'
import { readSources } from '../sources.ts'

const LONGEST_FILE_LINES = 400
const LARGEST_FOLDER_FILES = 25
const NAMELESS = /(^|-)(utils?|helpers?)$|^(common|shared|misc)$/

const WORKSPACES = {
  'packages/certificate/src': {
    layers: [
      'certificate-error.ts',
      'choice.ts',
      'limits.ts',
      'random.ts',
      'budget.ts',
      'canonical',
      'special',
      'concentration',
      'beliefs',
      'kinds',
      'smoothers',
      'states',
      'scores',
      'neighbours',
      'envelopes',
      'knn',
      'cells',
      'total',
      'certificate',
      'decision',
      'policies',
      'evaluation',
      'audits',
      'monitoring',
      'planning',
      'index.ts',
    ],
    packages: [],
  },
  'packages/quorate/src': {
    layers: [
      'record',
      'text',
      'simulated',
      'files',
      'evaluation',
      'answers',
      'questions',
      'model',
      'traffic',
      'debate',
      'config',
      'store',
      'run',
      'contract',
      'monitor',
      'review',
      'server',
      'panel',
      'report',
      'figures',
      'page',
      'demo',
      'cli',
      'index.ts',
    ],
    packages: [
      'node:',
      '@quorate/certificate',
      'ai',
      '@ai-sdk/amazon-bedrock',
      '@ai-sdk/anthropic',
      '@ai-sdk/deepseek',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
      '@hono/node-server',
      '@hono/zod-openapi',
      '@cortex-js/compute-engine',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/stdio',
      '@opentelemetry/api',
      'csv-parse',
      'hono',
      'hono/http-exception',
      'hono/utils/http-status',
      'hyparquet',
      'kysely',
      'pg',
      'pg-boss',
      'yaml',
      'zod',
    ],
  },
}

describe.each(Object.entries(WORKSPACES))('%s', (folder, borders) => {
  test('imports follow the flow of data', () => {
    expect(layerOffences(readSources(folder), borders)).toEqual([])
  })

  test('has the layers that ARCHITECTURE.md lists, in that order', () => {
    const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split(`\`${folder}\`, in order:\n\n`)
    const [table = ''] = section.split('\n\n')
    expect([...table.matchAll(/^\| `([\w.-]+)\/?` \|/gm)].map(([, layer]) => layer)).toEqual(borders.layers)
  })
})

describe.each([...Object.keys(WORKSPACES), 'apps/web/src', 'experiments', 'tools'])('%s', (folder) => {
  const sources = readSources(folder)

  test('has no import cycle at run time', () => {
    expect(runtimeCycle(sources)).toBeUndefined()
  })

  test('names every file and folder after its subject', () => {
    const parts = new Set([...sources.keys()].flatMap((file) => file.replace(/(\.\w+)+$/, '').split('/')))
    expect([...parts].filter((part) => NAMELESS.test(part))).toEqual([])
  })

  test(`has no file over ${LONGEST_FILE_LINES} lines`, () => {
    const long = [...sources].filter(([, source]) => source.split('\n').length - 1 > LONGEST_FILE_LINES)
    expect(long.map(([file]) => file)).toEqual([])
  })
})

describe.each([...Object.keys(WORKSPACES), 'apps/web/src'])('%s', (folder) => {
  test(`has no folder with more than ${LARGEST_FOLDER_FILES} files in it`, () => {
    const counts = new Map<string, number>()
    for (const file of globSync('**/*.{ts,tsx}', { cwd: folder })) {
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    }
    const large = [...counts].filter(([, files]) => files > LARGEST_FOLDER_FILES)
    expect(large).toEqual([])
  })
})

describe('the checks themselves', () => {
  const borders = { layers: ['early', 'late'], packages: ['node:', 'known'] }

  test('accept imports of the same layer, an earlier layer and a known package', () => {
    const sources = new Map([
      ['early/a.ts', "import { join } from 'node:path'\nimport known from 'known'\n"],
      ['early/b.ts', "import { a } from './a.ts'\n"],
      ['late/c.ts', "import type { a } from '../early/a.ts'\n"],
    ])
    expect(layerOffences(sources, borders)).toEqual([])
  })

  test('name an import of a later layer, an unknown package, a lost file and a file in no layer', () => {
    const sources = new Map([
      ['early/a.ts', "import type { c } from '../late/c.ts'\n"],
      ['early/b.ts', "export { x } from 'unknown'\nimport './gone.ts'\n"],
      ['late/c.ts', ''],
      ['attic/d.ts', ''],
    ])
    expect(layerOffences(sources, borders)).toEqual([
      'early/a.ts imports late/c.ts of a later layer',
      'early/b.ts imports the package unknown',
      'early/b.ts imports early/gone.ts, which does not exist',
      'attic/d.ts is in no layer',
    ])
  })

  test('find a cycle of values but not one of types', () => {
    const values = new Map([
      ['a.ts', "import { b } from './b.ts'\n"],
      ['b.ts', "export { c } from './c.ts'\n"],
      ['c.ts', "import { b } from './b.ts'\n"],
    ])
    const types = new Map([...values, ['c.ts', "import type { b } from './b.ts'\n"]])
    expect(runtimeCycle(values)).toEqual(['b.ts', 'c.ts', 'b.ts'])
    expect(runtimeCycle(types)).toBeUndefined()
  })
})
