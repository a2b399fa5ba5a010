import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeBlocks, machinePlaces, mentionedPaths, withGenerated } from '../documents.ts'
import { startPostgres } from '../postgres.ts'

const DOCUMENTS = [...globSync('*.md'), ...globSync('docs/**/*.md'), ...globSync('packages/*/README.md')].sort()
const IGNORED = /(^|\/)(node_modules|dist|coverage|\.git|\.quorate|quorate-demo)$/
/** Inside the repository and ignored by git, so that the blocks find the packages as a user's code would. */
const FOLDER = '.quorate/docs'
/** Documents whose TypeScript blocks are run, in addition to those of every README. */
const EXECUTED = ['docs/library.md', 'docs/guides/free-text.md']

const read = (file: string) => readFileSync(file, 'utf8')

test.each(DOCUMENTS)('every path that %s mentions exists', (document) => {
  // A fresh clone has no built files yet.
  const paths = mentionedPaths(read(document)).filter((path) => !path.split('/').includes('dist'))
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

test('no file names a place that exists on one machine only', () => {
  const files = globSync('**/*', { exclude: (name) => IGNORED.test(name) })
  const found = [...files, ...globSync('.*'), ...globSync('.ci/*')]
    // A temporary file of another test is not a file of the repository.
    .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile() === true)
    .flatMap((name) => machinePlaces(read(name)).map((place) => `${name}: ${place}`))
  expect(found).toEqual([])
})

describe('TypeScript blocks', () => {
  const blocks = DOCUMENTS.flatMap((document) =>
    codeBlocks(read(document))
      .filter(({ language }) => language === 'ts')
      .map(({ code }, index) => ({ document, code, file: `${document.replaceAll(/[/.]/g, '-')}-${index + 1}.ts` })),
  )

  beforeAll(() => {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }))
    for (const { file, code } of blocks) writeFileSync(join(FOLDER, file), `${code}\nexport {}\n`)
  })
  afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

  test('type-check against the packages', () => {
    expect(blocks.length).toBeGreaterThan(0)
    expect(runNode(['node_modules/typescript/bin/tsc', '-p', FOLDER, '--checkers', '1'])).toEqual({
      status: 0,
      output: '',
    })
  })

  const run = blocks.filter(({ document }) => document.endsWith('README.md') || EXECUTED.includes(document))

  test.each(run)('$file runs', ({ file }) => {
    const { status, output } = runNode(['--conditions=quorate-source', join(FOLDER, file)])
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' })
    // A line must print what the comment behind it says.
    const promised = [...read(join(FOLDER, file)).matchAll(/console\.log\(.*\) \/\/ (.+)/g)].map(([, words]) => words)
    if (promised.length > 0) expect(output.trim().split('\n')).toEqual(promised)
  })
})

test('PostgreSQL takes the settings that docs/operations.md advises', async (context) => {
  const [block] = codeBlocks(read('docs/operations.md')).filter(({ language }) => language === 'conf')
  const settings = Object.fromEntries(
    (block?.code ?? '')
      .trim()
      .split('\n')
      .map((line) => line.split(' = ')),
  )
  expect(Object.keys(settings).length).toBeGreaterThan(5)
  // Not every machine that runs tests has that much memory.
  const start = await startPostgres({ ...settings, shared_buffers: '64MB' })
  if (start.kind === 'absent') return context.skip(start.reason)
  await start.postgres.stop()
})

describe('the checks themselves', () => {
  test('find blocks and paths', () => {
    const markdown = 'See `docs/gone.md` and `README.md`.\n```ts\nconst a = 1\n```\n'
    expect(mentionedPaths(markdown)).toEqual(['docs/gone.md', 'README.md'])
    expect(codeBlocks(markdown)).toEqual([{ language: 'ts', code: 'const a = 1\n' }])
  })

  test('put a generated table where its marks are, and nowhere else', () => {
    const document = 'a\n<!-- begin soak: by npm run soak -->\nold\n<!-- end soak -->\nb\n'
    const made = withGenerated(document, 'soak', 'new\n')
    expect(made).toBe('a\n<!-- begin soak: by npm run soak -->\nnew\n<!-- end soak -->\nb\n')
    expect(withGenerated(made, 'soak', 'new\n')).toBe(made)
    expect(() => withGenerated(document, 'bench', 'new')).toThrow('expected <!-- begin bench -->')
  })

  test('find places of one machine and leave public addresses alone', () => {
    const slash = '/'
    const places = [`${slash}home/me`, `http:${slash}/10.0.0.1`, `https:${slash}/registry.example.org`]
    expect(machinePlaces(places.join(' '))).toEqual(places)
    expect(machinePlaces('https://example.org/home/page and docs/tmp/x')).toEqual([])
  })
})

function runNode(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
