import { globSync, readFileSync } from 'node:fs'

/** A page of the site: from a document of the repository, or generated. */
export interface Page {
  /** Path of the HTML file from the root of the site, without its extension. */
  readonly path: string
  readonly title: string
  /** Repository path of the document, to resolve its links. A generated page has the path that it would have. */
  readonly source: string
  readonly markdown: string
}

export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
  /** Its pages are too many, so other sections show only the first of them in the navigation. */
  readonly isFolded?: true
}

/** Titles of documents in the navigation, and their order. */
const SECTIONS: readonly (readonly [section: string, pages: readonly (readonly [source: string, title: string])[]])[] =
  [
    [
      'Start',
      [
        ['README.md', 'quorate'],
        ['docs/getting-started.md', 'Getting started'],
        ['docs/concepts.md', 'Concepts'],
      ],
    ],
    [
      'Guides',
      [
        ['docs/guides/tickets.md', 'Sort tickets'],
        ['docs/guides/llm-judges.md', 'LLM judges as a gate'],
        ['docs/guides/several-fields.md', 'Extract several fields'],
        ['docs/guides/free-text.md', 'Open answers'],
        ['docs/guides/shift.md', 'When questions change'],
        ['docs/guides/from-logs.md', 'Start from logs'],
        ['docs/guides/benchmarks.md', 'Benchmarks'],
      ],
    ],
    [
      'Use it',
      [
        ['docs/models.md', 'Models and beliefs'],
        ['docs/library.md', 'The library'],
        ['docs/http.md', 'The HTTP API'],
        ['docs/integrations.md', 'Integrations'],
        ['docs/python.md', 'Python'],
        ['packages/ai-sdk/README.md', 'AI SDK'],
        ['docs/operations.md', 'Operations'],
        ['docs/soak.md', 'Kills and restarts'],
      ],
    ],
    ['Reference', [['docs/command-line.md', 'The command line']]],
    [
      'Method',
      [
        ['docs/guarantees.md', 'Guarantees'],
        ['packages/certificate/README.md', 'The certificate alone'],
        ['experiments/RESULTS.md', 'The paper against us'],
        ['experiments/RECORDED.md', 'Recorded debates'],
        ['experiments/DEFAULTS.md', 'How defaults were chosen'],
      ],
    ],
    [
      'Project',
      [
        ['ARCHITECTURE.md', 'Architecture'],
        ['CONTRIBUTING.md', 'Contributing'],
        ['CHANGELOG.md', 'Changelog'],
      ],
    ],
  ]

const DECISIONS = 'docs/decisions'

/** Every page of the site. A document that no section names fails the build, so none is forgotten. */
export function sitePages(generated: readonly Page[]): readonly Section[] {
  const sections = SECTIONS.map(([title, pages]): Section => {
    const documents = pages.map(([source, name]) => documentPage(source, name))
    return { title, pages: title === 'Reference' ? [...documents, ...generated] : documents }
  })
  const known = new Set(sections.flatMap(({ pages }) => pages.map(({ source }) => source)))
  const forgotten = globSync('docs/**/*.md').filter((file) => !known.has(file) && !file.startsWith(DECISIONS))
  if (forgotten.length > 0) {
    throw new Error(`tools/site/pages.ts must name every document of docs, got none for ${forgotten.join(', ')}`)
  }
  return [...sections, decisions()]
}

function decisions(): Section {
  const pages = globSync(`${DECISIONS}/*.md`)
    .sort()
    .map((source) => documentPage(source, headingOf(readFileSync(source, 'utf8'), source)))
  const list = pages.map(({ title, source }) => `- [${title}](decisions/${source.split('/').at(-1)})`)
  const markdown = `# Decisions\n\nChoices that a newcomer would question, each with its reason.\n\n${list.join('\n')}\n`
  const index: Page = { path: 'decisions/index', title: 'Decisions', source: DECISIONS, markdown }
  return { title: 'Decisions', pages: [index, ...pages], isFolded: true }
}

function documentPage(source: string, title: string): Page {
  return { path: pagePath(source), title, source, markdown: readFileSync(source, 'utf8') }
}

/**
 * docs/guides/tickets.md becomes guides/tickets, packages/ai-sdk/README.md packages/ai-sdk, and the main README the
 * first page.
 */
function pagePath(source: string): string {
  if (source === 'README.md') return 'index'
  return source
    .replace(/^docs\//, '')
    .replace(/(\/README)?\.md$/, '')
    .toLowerCase()
}

function headingOf(markdown: string, source: string): string {
  const heading = /^# (.+)$/m.exec(markdown)?.[1]
  if (heading === undefined) throw new Error(`${source} must begin with a heading (# ...), got none`)
  return heading
}
