import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoName, fileText, flagsText, programName } from '../../src/cli/command-line.ts'
import { folderWith } from '../config/config-folder.ts'

test('words are quoted as they would be typed in a shell', () => {
  const flags = new Map<string, string | true>([
    ['beta', '0.1'],
    ['json', true],
    ['beliefs', "it's"],
    ['unordered', true],
  ])
  expect(flagsText(flags, ['json'])).toBe(String.raw`--beta 0.1 --beliefs 'it'\''s' --unordered`)
  expect(fileText('my file.jsonl')).toBe("'my file.jsonl'")
  expect(fileText('-x.jsonl')).toBe('./-x.jsonl')
})

test('the repository runs the program through npm, with the path of the repository if the folder is outside it', () => {
  const clone = folderWith({ 'package.json': '{}' })
  const env = { npm_lifecycle_event: 'quorate', npm_package_json: join(clone, 'package.json') }
  mkdirSync(join(clone, 'my-panel'))
  expect(programName(env, join(clone, 'my-panel'))).toBe('npm run quorate --')
  expect(programName(env, folderWith({}))).toBe(`npm --prefix ${clone} run quorate --`)
  expect(programName({ npm_lifecycle_event: 'quorate' })).toBe('npm run quorate --')
  expect(demoName({ ...env, npm_lifecycle_event: 'demo' }, clone)).toBe('npm run demo --')
  expect([programName({}), demoName({})]).toEqual(['quorate', 'quorate demo'])
})
