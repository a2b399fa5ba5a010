import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FileError } from '../files/file-error.ts'
import { makeFolder, writeWhole } from '../files/write-whole.ts'
import { otherUsers } from '../store/sqlite/other-users.ts'
import { plainText } from '../text/plain-text.ts'

/** The files that the demo writes, with their descriptions. */
export const DEMO_FILES = Object.freeze({
  config: { name: 'quorate.config.yaml', about: 'the panel, its budget and its limits, with comments' },
  questions: { name: 'questions.jsonl', about: 'questions with known answers, calibrated on' },
  newQuestions: { name: 'new-questions.jsonl', about: 'questions that were decided' },
  debates: { name: 'debates.jsonl', about: 'who said what on all of them, round by round' },
  certificate: { name: 'certificate.json', about: 'what the bounds are computed from' },
  decisions: { name: 'decisions.jsonl', about: 'every decision with its arithmetic' },
  bundle: { name: 'bundle.jsonl', about: 'decisions and reviews under a chain of hashes' },
  report: { name: 'report.html', about: 'every figure, audit and caveat, for any browser' },
  store: { name: '.quorate/quorate.db', about: 'the store: every reply, the review queue, the ledger' },
  readme: { name: 'README.txt', about: 'this list' },
})

export type DemoFile = keyof typeof DEMO_FILES

export interface DemoFolder {
  readonly path: string
  /** Names of the files of an earlier demo that were removed. */
  readonly replaced: readonly string[]
  pathOf(file: DemoFile): string
}

const MARK = 'This folder was written by quorate demo.'
/** Suffixes of the files that SQLite keeps beside the store. */
const BESIDE_THE_STORE = ['-wal', '-shm', '-journal']

/** Creates the folder, or reuses the one of an earlier demo. Any other folder is refused before anything in it is changed. */
export async function claimFolder(path: string): Promise<DemoFolder> {
  await makeFolder(path)
  const pathOf = (file: DemoFile) => join(path, DEMO_FILES[file].name)
  const entries = await readdir(path)
  if (entries.length > 0 && !(await isMarked(pathOf('readme')))) {
    throw new FileError(
      `${plainText(path)} is not empty and was not written by quorate demo, so nothing in it was touched. ` +
        'Name another folder with --out DIR, or move it away',
    )
  }
  checkUnused(path, pathOf('store'))
  await writeReadme(pathOf('readme'), [])
  const old = Object.entries(DEMO_FILES).filter(([key]) => key !== 'readme')
  const replaced = old.map(([, { name }]) => name).filter((name) => entries.includes(name.split('/')[0] ?? ''))
  for (const [, { name }] of old) await rm(join(path, name), { force: true })
  for (const ending of BESIDE_THE_STORE) await rm(pathOf('store') + ending, { force: true })
  await rm(join(path, 'figures'), { recursive: true, force: true })
  return { path, replaced, pathOf }
}

/** Refuses a store that is open. A server would keep using the deleted files and lose every later review. */
function checkUnused(path: string, store: string): void {
  const users = otherUsers(store)
  if (users.kind === 'none') return
  const [first, ...more] = users.processes
  const who =
    first === undefined ? 'another process' : `process ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`
  throw new FileError(
    `${plainText(path)} is in use: ${who} has its store open, most likely the app of an earlier demo. Nothing in it was ` +
      'touched. End that process with Ctrl-C, or name another folder with --out DIR',
  )
}

/** Writes the file that describes the folder. Its first line is how the demo recognizes its own folders. */
export async function writeReadme(path: string, lines: readonly string[]): Promise<void> {
  const about = 'The panel is simulated: the numbers show the method, they are no evidence for it.'
  await writeWhole(
    path,
    `${[MARK, about, 'Run it again and the files named here are replaced.', ...lines].join('\n')}\n`,
  )
}

async function isMarked(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.startsWith(MARK)
}
