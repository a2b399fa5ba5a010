import { afterEach, expect, test, vi } from 'vitest'
import { readStored, writeStored } from '../../src/api/browser-storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A storage that accepts values of at most 5 characters. */
function smallStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    removeItem: (key: string) => void values.delete(key),
    setItem(key: string, value: string) {
      if (value.length > 5) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
  }
}

test('a value that does not fit into the storage replaces the stored one', () => {
  const storage = smallStorage()
  vi.stubGlobal('localStorage', storage)
  writeStored('localStorage', 'views', 'first')
  expect(storage.getItem('views')).toBe('first')
  writeStored('localStorage', 'views', 'second')
  expect(readStored('localStorage', 'views')).toBe('second')
  expect(storage.getItem('views')).toBeNull()
  writeStored('localStorage', 'views', 'third')
  expect(storage.getItem('views')).toBe('third')
  writeStored('localStorage', 'views', null)
  expect(readStored('localStorage', 'views')).toBeNull()
})

test('without any storage, values last as long as the page', () => {
  const off = () => {
    throw new DOMException('off', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: off, setItem: off, removeItem: off })
  writeStored('sessionStorage', 'item', 'r1')
  expect(readStored('sessionStorage', 'item')).toBe('r1')
  writeStored('sessionStorage', 'item', null)
  expect(readStored('sessionStorage', 'item')).toBeNull()
})
