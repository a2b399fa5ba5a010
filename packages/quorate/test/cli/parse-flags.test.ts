import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { flagsHelp, parseFlags } from '../../src/cli/flags/parse-flags.ts'

const TABLE = {
  out: { value: 'FILE', about: 'file to write' },
  resume: { optionalValue: 'RUN', about: 'continue a run' },
  'connections-per-address': { value: 'N', about: 'open connections that one client may have' },
  internal: { value: 'X' },
}

test('the help page is made from the table: names, values, wrapped text, and no flag without a text', () => {
  expect(flagsHelp(TABLE)).toBe(
    [
      '  --out FILE         file to write',
      '  --resume [RUN]     continue a run',
      '  --connections-per-address N',
      '                     open connections that one client may have',
      '',
    ].join('\n'),
  )
})

test('the parser is made from the same table: values, switches, and unknown flags', () => {
  const { flags } = parseFlags('demo', ['--out', 'a', '--resume', '--internal=b'], TABLE)
  expect([...flags]).toEqual([
    ['out', 'a'],
    ['resume', true],
    ['internal', 'b'],
  ])
  expect(() => parseFlags('demo', ['--out'], TABLE)).toThrow('demo: --out needs a value, got none')
  expect(() => parseFlags('demo', ['--resume=x'], TABLE)).toThrow('demo: --resume takes no value, got "x"')
  expect(() => parseFlags('demo', ['--ot', 'x'], TABLE)).toThrow('demo: unknown flag --ot. Did you mean --out?')
})

test.each(COMMANDS)('the page of $name lists its flags once each, below one title', async ({ load }) => {
  const { help } = await load()
  const listed = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name]) => name)
  expect(listed.length).toBeGreaterThan(0)
  expect(new Set(listed).size).toBe(listed.length)
  expect(help.match(/^Flags$/gm)).toHaveLength(1)
  expect(help).not.toMatch(/\n\n\n/)
})
