import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { load, SMALL } from './config-folder.ts'

const FOLDER = join(import.meta.dirname, '../../../../docs/guides')

/** Blocks of YAML in the guides. A block that is only a part of a config is completed. */
const BLOCKS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/^( *)```yaml\n([\s\S]*?)^ *```$/gmu)].map(
      ([, indent = '', yaml = ''], at) => {
        const text = yaml.replaceAll(new RegExp(`^${indent}`, 'gmu'), '')
        return [`${name}, block ${at + 1}`, /^panel:/mu.test(text) ? text : `${text}${SMALL}`] as const
      },
    ),
  )

describe('a config in a guide', () => {
  test('is there', () => expect(BLOCKS.length).toBeGreaterThanOrEqual(4))

  test.each(BLOCKS)('runs: %s', async (_, yaml) => {
    const { config } = await load(yaml)
    expect(config.panel.agents.length).toBeGreaterThan(0)
  })
})
