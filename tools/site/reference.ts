import { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { COMMANDS } from '../../packages/quorate/src/cli/commands.ts'
import { configJsonSchema } from '../../packages/quorate/src/config/config.ts'
import { describedRoutes } from '../../packages/quorate/src/server/create-app.ts'
import { slug } from './markdown.ts'
import type { Page } from './pages.ts'
import { type Row, type Schema, schemaRows, schemaSchema, typeText } from './schema-rows.ts'

/** Pages generated from the flag tables, the config schema and the routes, so they cannot differ from the program. */
export async function referencePages(): Promise<readonly Page[]> {
  return [
    page('reference/commands', 'Commands and flags', await commandsMarkdown()),
    page('reference/config', 'Config', configMarkdown()),
    page('reference/http', 'HTTP routes', routesMarkdown()),
  ]
}

function page(path: string, title: string, markdown: string): Page {
  return { path, title, source: `docs/${path}.md`, markdown }
}

async function commandsMarkdown(): Promise<string> {
  const parts = await Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const { help } = await load()
      return `## ${name}\n\n${sentence(summary)}\n\n${helpMarkdown(help)}`
    }),
  )
  return `# Commands and flags\n\nEach section is what \`quorate help COMMAND\` prints.\n\n${parts.join('\n')}`
}

const FLAG_LINE = /^ {2}(--\S+(?: \S+)*?)(?: {2,}(\S.*))?$/
const TEXT_LINE = /^ {21}(\S.*)$/

/** The flags of a help page as a table, and everything else as it is printed. */
export function helpMarkdown(help: string): string {
  const lines = help.split('\n')
  const start = lines.indexOf('Flags')
  const end = start < 0 ? -1 : start + 1 + lines.slice(start + 1).findIndex((line) => !/^ {2}\S|^ {21}\S/.test(line))
  if (start < 0 || end <= start + 1) return fenced(help)
  const flags: { name: string; words: string[] }[] = []
  for (const line of lines.slice(start + 1, end)) {
    const [, name, words] = FLAG_LINE.exec(line) ?? []
    const text = TEXT_LINE.exec(line)?.[1]
    if (name !== undefined) flags.push({ name, words: words === undefined ? [] : [words] })
    else if (text !== undefined) flags.at(-1)?.words.push(text)
    else return fenced(help)
  }
  const rows = flags.map(({ name, words }) => [`\`${name}\``, cell(words.join(' '))])
  return [
    fenced(lines.slice(0, start).join('\n')),
    table(['flag', 'what it does'], rows),
    fenced(lines.slice(end).join('\n')),
  ].join('\n')
}

function configMarkdown(): string {
  const schema = schemaSchema.parse(configJsonSchema())
  const sections = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const rows = schemaRows({ properties: { [name]: field }, required: schema.required }, 6)
    const [first, ...rest] = rows
    const shown = rest.length === 0 && first !== undefined ? [first] : rest
    return `## ${name}\n\n${sentence(field.description ?? '')}\n\n${rowsTable(shown)}`
  })
  return `# Config

\`quorate init\` writes a commented \`quorate.config.yaml\`, and \`quorate validate\` checks one. Editors that read
\`schema/quorate.config.schema.json\` of the package complete these fields.

${sections.join('\n')}`
}

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        summary: z.string(),
        description: z.string(),
        deprecated: z.boolean().optional(),
        parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: schemaSchema })).default([]),
        requestBody: z.object({ content: z.record(z.string(), z.object({ schema: schemaSchema })) }).optional(),
        responses: z.record(
          z.string(),
          z.object({ content: z.record(z.string(), z.object({ schema: schemaSchema.optional() })).optional() }),
        ),
      }),
    ),
  ),
})
type Operation = z.infer<typeof documentSchema>['paths'][string][string]

function routesMarkdown(): string {
  const app = new OpenAPIHono()
  for (const route of describedRoutes()) app.openAPIRegistry.registerPath(route)
  const made: unknown = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'quorate', version: '' } })
  const { paths } = documentSchema.parse(JSON.parse(JSON.stringify(made)))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const overview = operations.map(({ name, operation }) => [
    `[\`${name}\`](#${slug(name)})`,
    cell(operation.summary),
    cell(operation.description.replace(/^For: |\.$/g, '')),
  ])
  return `# HTTP routes

A running server describes itself at \`/docs\` and \`/openapi.json\`. [The HTTP API](../http.md) explains how to use it.

${table(['route', 'what it does', 'for'], overview)}
${operations.map(({ name, operation }) => operationMarkdown(name, operation)).join('\n')}`
}

function operationMarkdown(name: string, operation: Operation): string {
  const parameters = operation.parameters.map(({ name: field, in: place, schema }) => [
    `\`${field}\``,
    place,
    cell(typeText(schema)),
    cell(schema.description ?? ''),
  ])
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) =>
    bodyMarkdown('Body', type, schema),
  )
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, { schema = {} }]) => bodyMarkdown(`Answer ${status}`, type, schema)),
    )
  return [
    `## ${name}\n`,
    `${sentence(operation.summary)} ${operation.description}${operation.deprecated === true ? ' Deprecated.' : ''}\n`,
    parameters.length === 0 ? '' : table(['parameter', 'in', 'type', 'meaning'], parameters),
    ...bodies,
    ...answers,
  ].join('\n')
}

function bodyMarkdown(title: string, type: string, schema: Schema): string {
  const forms = schema.anyOf ?? schema.oneOf ?? [schema]
  const rows = forms.flatMap((form) => schemaRows(form, 3))
  const fields = rows.length === 0 ? '' : `\n${rowsTable(distinct(rows))}`
  return `**${title}**: \`${type}\`${rows.length === 0 && type === 'application/json' ? `, ${typeText(schema)}` : ''}\n${fields}`
}

/** Removes repeated rows, since the forms of a response share most of their fields. */
function distinct(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [`${row.path} ${row.type}`, row])).values()]
}

function rowsTable(rows: readonly Row[]): string {
  return table(
    ['field', 'type', 'default', 'meaning'],
    rows.map(({ path, type, isRequired, fallback, description }) => [
      `\`${path}\``,
      cell(type),
      isRequired ? 'required' : fallback === '' ? '' : `\`${fallback}\``,
      cell(description),
    ]),
  )
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}

/** Escapes text that is not Markdown. */
function cell(text: string): string {
  return text.replace(/[\\|<>*_`[\]]/g, '\\$&').replaceAll('\n', ' ')
}

function fenced(text: string): string {
  const shown = text.trim()
  return shown === '' ? '' : `\`\`\`text\n${shown}\n\`\`\`\n`
}

function sentence(text: string): string {
  if (text === '') return ''
  const whole = `${text[0]?.toUpperCase()}${text.slice(1)}`
  return cell(/[.!?]$/.test(whole) ? whole : `${whole}.`)
}
