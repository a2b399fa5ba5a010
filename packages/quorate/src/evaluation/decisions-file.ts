import { randomUUID } from 'node:crypto'
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type HalfDecisions, isRightAt } from '@quorate/certificate'
import { FileError } from '../files/file-error.ts'
import { writeWhole } from '../files/write-whole.ts'
import { plainText } from '../text/plain-text.ts'

/** One line of the decisions file: what a policy did with one held-out debate in one split. */
export interface DecisionLine {
  /** Seed of the split. */
  readonly split: number
  readonly policy: string
  readonly beta: number
  readonly id: string
  readonly decision: 'act' | 'defer'
  /** Round of the action, from 1; null for a deferral. */
  readonly round: number | null
  readonly answer: string | null
  /** Whether the answer acted on was right; for a deferral, whether the answer of the last round was right. */
  readonly right: boolean
}

function* decisionLines(split: number, decisions: HalfDecisions): Generator<DecisionLine> {
  const { policy, beta, debates, actedAt } = decisions
  for (const [row, panel] of debates.entries()) {
    const { record, rounds } = panel
    const round = actedAt[row] || null
    const prediction = (round === null ? rounds.at(-1) : rounds[round - 1])?.prediction
    yield {
      split,
      policy,
      beta,
      id: record.id,
      decision: round === null ? 'defer' : 'act',
      round,
      answer: round === null || prediction === undefined ? null : (record.options[prediction] ?? null),
      right: isRightAt(panel, round ?? rounds.length),
    }
  }
}

/** Characters that are collected before they are written. */
const BATCH = 256 * 1024

/** The lines of one split, written by the process that evaluates it. */
export function decisionsPart(path: string, split: number) {
  const file = openSync(path, 'w')
  return {
    add(decisions: HalfDecisions): void {
      let batch = ''
      for (const line of decisionLines(split, decisions)) {
        batch += `${JSON.stringify(line)}\n`
        if (batch.length < BATCH) continue
        writeAll(file, batch)
        batch = ''
      }
      writeAll(file, batch)
    },
    close: () => closeSync(file),
  }
}

/** A write may take fewer bytes than it was given. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from)
}

/**
 * Runs `work` with a folder beside the file for its parts, one for each split. The folder is removed afterwards, even
 * if the work fails.
 */
export async function withDecisionParts<Result>(
  path: string,
  work: (partOf: (place: number) => string) => Promise<Result>,
): Promise<Result> {
  const folder = `${path}.${randomUUID()}.parts`
  await mkdir(folder).catch((cause: unknown) => {
    throw new FileError(`cannot write ${plainText(path)}`, { cause })
  })
  const tidy = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', tidy) // Ctrl-C exits the process without `finally`
  try {
    return await work((place) => join(folder, `${place}.jsonl`))
  } finally {
    process.off('exit', tidy)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the parts one after the other. A reader never sees half a file. */
export async function joinDecisionParts(path: string, parts: readonly string[]): Promise<void> {
  await writeWhole(path, chunksOf(parts))
}

async function* chunksOf(parts: readonly string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* createReadStream(part)
}
