import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { ALL_TABLES, tableNamed } from './tables/all-tables.ts'
import type { Table } from './tables/table.ts'

export const PARTS = ['twins', 'recorded'] as const
export type Part = (typeof PARTS)[number]

export interface ReproduceOptions {
  /** Two splits instead of ten; writes nothing. */
  readonly isQuick: boolean
  /** Prints this table and writes nothing. */
  readonly table: Table | null
  /** Folder for the results instead of `experiments`. */
  readonly out: string | null
  /** Makes or checks only what needs no recorded data, or only what needs it; null for both. */
  readonly part: Part | null
  /** Measures from scratch and compares with the stored results. */
  readonly isCheck: boolean
  readonly threads: number
}

export const USAGE = `npm run reproduce -- [--quick] [--table N] [--out DIR] [--check] [--part twins|recorded] [--threads N]

  --quick     two splits of twins and one of recorded files in place of ten; prints and writes no results
  --table N   prints one table, by its number in the paper or by name:
              ${ALL_TABLES.map(({ name }) => name).join(', ')}
  --out DIR   writes the results there in place of experiments
  --check     ignores stored measurements and fails when the results in experiments differ, or when there was nothing to compare.
              Words must be equal; a number may differ by two units of its last digit or by 1 %.
  --part P    twins: RESULTS.md, RESULTS.json and the figures, which need no recorded data.
              recorded: RECORDED.md and RECORDED.json, which need the folder QUORATE_DATA. Default: both, or twins without that folder.
  --threads N default: one per core`

/** Returns a sentence if the arguments are invalid. */
export function readOptions(words: readonly string[]): ReproduceOptions | string {
  const parsed = parsedOrSentence(words)
  if (typeof parsed === 'string') return parsed
  const { quick = false, table, out, check = false, part, threads } = parsed
  const count = threads === undefined ? availableParallelism() : Number(threads)
  if (!(Number.isInteger(count) && count >= 1 && count <= 64)) return `--threads: expected 1 to 64, got ${threads}`
  const found = table === undefined ? null : tableNamed(table)
  if (found === undefined)
    return table === '5' ? 'Table 5 of the paper has no numbers.' : `--table: there is no table ${table}`
  const asked = PARTS.find((name) => name === part) ?? null
  if (part !== undefined && asked === null) return `--part: expected twins or recorded, got ${part}`
  if (check && (quick || out !== undefined)) return '--check goes with neither --quick nor --out.'
  return { isQuick: quick, table: found, out: out ?? null, part: asked, isCheck: check, threads: count }
}

function parsedOrSentence(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        quick: { type: 'boolean' },
        table: { type: 'string' },
        out: { type: 'string' },
        check: { type: 'boolean' },
        part: { type: 'string' },
        threads: { type: 'string' },
      },
    }).values
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
