import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sized } from '../../../../tools/lane.ts'
import { temporaryFolder } from './temporary-files.ts'

const MEGABYTE = 1024 * 1024

const { folder } = temporaryFolder()

test('debates are read by a process without the memory for their text', () => {
  const { count, heap } = sized({ short: { count: 25_000, heap: 100 }, full: { count: 100_000, heap: 400 } })
  const { debates, bytes } = readAndWeigh({ count, letters: 1500, heap })
  expect(debates).toBe(count)
  expect(bytes).toBeGreaterThan(heap * MEGABYTE)
})

test('what stays in memory does not grow with the text', () => {
  const bare = readAndWeigh({ count: 5000, letters: 0, heap: 400 })
  const wordy = readAndWeigh({ count: 5000, letters: 4000, heap: 400 })
  // A quarter more for what the garbage collector has not reached yet.
  expect(wordy.kept - bare.kept).toBeLessThan((wordy.bytes - bare.bytes) / 4)
})

interface Written {
  readonly count: number
  /** Characters of text in the question and in each of two turns. */
  readonly letters: number
}

/** `heap`: megabytes that the reading process may use. `kept`: bytes that it still uses at the end. */
function readAndWeigh({ count, letters, heap }: Written & { readonly heap: number }) {
  const path = join(folder, `${count}-of-${letters}-letters.jsonl`)
  writeDebates(path, { count, letters })
  const bytes = statSync(path).size
  const script = resolve(import.meta.dirname, 'read-and-weigh.ts')
  const flags = ['--conditions=quorate-source', '--expose-gc', `--max-old-space-size=${heap}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, script, path], { encoding: 'utf8' })
  rmSync(path)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { debates, kept }: { debates: number; kept: number } = JSON.parse(stdout)
  return { debates, kept, bytes }
}

function writeDebates(path: string, { count, letters }: Written): void {
  const file = openSync(path, 'w')
  const words = 'x'.repeat(letters)
  for (let from = 0; from < count; from += 1000) {
    const lines = Array.from({ length: 1000 }, (_, row) => {
      const text = `${from + row} ${words}`
      const turns = `[{"agent":"ada","answer":"A","text":"${text}"},{"agent":"bob","answer":"B","text":"${text}"}]`
      return `{"id":"q${from + row}","question":"${text}","options":["A","B"],"gold":"A","rounds":[${turns}]}\n`
    })
    writeSync(file, lines.join(''))
  }
  closeSync(file)
}
