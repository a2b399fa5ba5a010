import { expect, onTestFinished, test, vi } from 'vitest'

const MODULE = '../../src/files/fork-beside.ts'

test('a process that could not be started fails the comparison that asked for it, and no later one', async () => {
  const { forkBeside } = await vi.importActual<typeof import('../../src/files/fork-beside.ts')>(MODULE)
  let failures = 1
  vi.resetModules()
  vi.doMock(MODULE, () => ({
    forkBeside(module: string, name: string) {
      if (failures-- > 0) throw new Error('no room for more processes')
      return forkBeside(module, name)
    },
  }))
  onTestFinished(() => {
    vi.doUnmock(MODULE)
    vi.resetModules()
  })
  const { isSameMath } = await import('../../src/answers/math-engine.ts')
  await expect(isSameMath('x+1', '1+x')).rejects.toThrow('no room')
  expect(await isSameMath('x+1', '1+x')).toBe(true)
  expect(await isSameMath('x+1', 'x+2')).toBe(false)
})
