import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { FileError } from '../../files/file-error.ts'
import { readLines } from '../../files/read-lines.ts'
import { plainText } from '../../text/plain-text.ts'
import { csvTable } from '../csv-rows.ts'
import { parseJson, readJsonFile } from '../parsed-json.ts'

/** A row of a table, not checked yet. */
export interface BenchmarkRow {
  readonly value: unknown
  /** File and line, or file and row, for errors. */
  readonly place: string
}

/** Reads the rows of a file by its extension: .csv, .parquet, .json with one list, else JSON lines. */
export async function* benchmarkRows(path: string): AsyncGenerator<BenchmarkRow> {
  const [extension = ''] = /\.\w+$/.exec(path.toLowerCase()) ?? []
  if (extension === '.csv') return yield* csvObjects(path)
  if (extension === '.parquet') return yield* parquetRows(path)
  if (extension === '.json') return yield* listRows(path)
  const name = plainText(path)
  let line = 0
  for await (const text of readLines(path)) {
    line += 1
    if (text.trim() !== '') yield { value: parseJson(text, `${name}: line ${line}`), place: `${name}: line ${line}` }
  }
}

async function* csvObjects(path: string): AsyncGenerator<BenchmarkRow> {
  const { header, rows } = await csvTable(path)
  for await (const { line, cells } of rows) {
    const value = Object.fromEntries((header ?? []).map((column, index) => [column, cells[index] ?? '']))
    yield { value, place: `${plainText(path)}: line ${line}` }
  }
}

async function* listRows(path: string): AsyncGenerator<BenchmarkRow> {
  const name = plainText(path)
  const list = await readJsonFile(path)
  if (!Array.isArray(list)) throw new FileError(`${name} must be a JSON list of rows, or JSON lines in a .jsonl file`)
  for (const [index, value] of list.entries()) yield { value, place: `${name}: [${index}]` }
}

/** Rows that are in memory at a time. */
const BATCH = 1000

/** A page of a column is about a megabyte. One that unpacks to more than this is refused before it fills the memory. */
const MOST = { maxOutputLength: 256 * 2 ** 20 }

/** Snappy is part of hyparquet; Node has the others. */
const COMPRESSORS = {
  GZIP: (packed: Uint8Array) => gunzipSync(packed, MOST),
  BROTLI: (packed: Uint8Array) => brotliDecompressSync(packed, MOST),
  ZSTD: (packed: Uint8Array) => zstdDecompressSync(packed, MOST),
}

async function* parquetRows(path: string): AsyncGenerator<BenchmarkRow> {
  const name = plainText(path)
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  const broken = (cause: unknown) => new FileError(`${name} must be a whole Parquet file`, { cause })
  const file = await asyncBufferFromFile(path).catch((cause: unknown) => {
    throw new FileError(`cannot read ${name}`, { cause })
  })
  const metadata = await parquetMetadataAsync(file).catch((cause: unknown) => {
    throw broken(cause)
  })
  const count = Number(metadata.num_rows)
  for (let start = 0; start < count; start += BATCH) {
    const rowEnd = Math.min(count, start + BATCH)
    const rows = await parquetReadObjects({ file, metadata, rowStart: start, rowEnd, compressors: COMPRESSORS }).catch(
      (cause: unknown) => {
        throw broken(cause)
      },
    )
    for (const [index, row] of rows.entries())
      yield { value: plainValue(row), place: `${name}: row ${start + index + 1}` }
  }
}

/** 64-bit integers become numbers, as JSON has them. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member)]))
}
