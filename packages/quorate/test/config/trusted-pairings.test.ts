import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTrusted, pairingFile, readPairings, rememberPairings } from '../../src/config/trusted-pairings.ts'
import { modelEndpoint } from '../../src/model/create-model.ts'
import { folderWith } from './config-folder.ts'

const endpoint = (baseURL: string, apiKeyEnv: string) => {
  const found = modelEndpoint('openai-compatible/x', { baseURL, apiKeyEnv, env: {}, now: () => 0 })
  if (found === null) throw new Error('a remote model has an endpoint')
  return found
}

test('a pairing is trusted once it was remembered, for its variable and its host only', async () => {
  const file = join(folderWith({}), 'quorate', 'trusted-hosts.json')
  const local = endpoint('http://127.0.0.1:8000/v1', 'QWEN_KEY')
  expect(isTrusted(local, await readPairings(file))).toBe(false)
  await rememberPairings(file, [local])
  await rememberPairings(file, [local, endpoint('https://gateway.example/v1', 'OTHER_KEY')])
  const known = await readPairings(file)
  expect(known).toHaveLength(2)
  expect(isTrusted(local, known)).toBe(true)
  expect(isTrusted(endpoint('http://127.0.0.1:8000/other', 'QWEN_KEY'), known)).toBe(true)
  expect(isTrusted(endpoint('http://127.0.0.1:8001/v1', 'QWEN_KEY'), known)).toBe(false)
  expect(isTrusted(endpoint('http://127.0.0.1:8000/v1', 'OPENAI_API_KEY'), known)).toBe(false)
  expect(readFileSync(file, 'utf8')).toContain('QWEN_KEY')
})

test("they are stored in the user's folder, never under a relative path", () => {
  expect(pairingFile({ HOME: '/users/me' })).toBe('/users/me/.config/quorate/trusted-hosts.json')
  expect(pairingFile({ HOME: '/users/me', XDG_CONFIG_HOME: '/cfg' })).toBe('/cfg/quorate/trusted-hosts.json')
  expect(pairingFile({ HOME: '/users/me', XDG_CONFIG_HOME: 'here' })).toBe(
    '/users/me/.config/quorate/trusted-hosts.json',
  )
  expect(pairingFile({})).toBeNull()
})

test('a file of another shape is an error that names it, not a lack of trust', async () => {
  const file = join(folderWith({}), 'trusted-hosts.json')
  writeFileSync(file, '{"pairings": "all"}')
  await expect(readPairings(file)).rejects.toThrow(/trusted-hosts\.json must contain trusted pairings/)
})
