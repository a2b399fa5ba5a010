import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder that is removed after the tests of a file, and a way to write a text into it. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    /** The path of a new file with this content; a list becomes one JSON line each. */
    write(name: string, content: string | readonly unknown[]): string {
      const path = join(folder, name)
      writeFileSync(path, typeof content === 'string' ? content : jsonLines(content))
      return path
    },
  }
}

export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
