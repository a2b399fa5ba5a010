type Area = 'localStorage' | 'sessionStorage'

/** Values of this page. They replace storage that the browser has switched off, where any access throws. */
const inMemory = new Map<string, string>()

export function readStored(area: Area, key: string): string | null {
  try {
    return globalThis[area].getItem(key) ?? inMemory.get(key) ?? null
  } catch {
    return inMemory.get(key) ?? null
  }
}

/** Null removes the value. */
export function writeStored(area: Area, key: string, value: string | null): void {
  if (value === null) inMemory.delete(key)
  else inMemory.set(key, value)
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // Storage is switched off or full, so the value lasts as long as the page.
    removeStored(area, key)
  }
}

/** Removes an older value, which would be read instead of the one in memory. */
function removeStored(area: Area, key: string): void {
  try {
    globalThis[area].removeItem(key)
  } catch {
    // Storage is switched off, so nothing is read from it.
  }
}

/** Removes all values of an area. Values in memory end with the page. */
export function clearStored(area: Area): void {
  try {
    globalThis[area].clear()
  } catch {
    // Storage is switched off, so nothing is stored.
  }
}
