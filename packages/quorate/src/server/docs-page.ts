/** The part of an OpenAPI document that the page shows. */
export interface Described {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string | undefined }
  readonly paths?: Readonly<Record<string, unknown>> | undefined
}

/** The OpenAPI document as a page without scripts or external resources. */
export function docsPage({ info, paths = {} }: Described): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(asRecord(methods)).map(([method, operation]) => ({ path, method, operation: asRecord(operation) })),
  )
  const tags = new Set(operations.map(tagOf))
  const sections = [...tags].map((tag) => {
    const members = operations.filter((operation) => tagOf(operation) === tag)
    return `<section><h2>${escaped(tag)}</h2>\n${members.map(operationMarkup).join('\n')}\n</section>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)}: HTTP API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs.css">
</head>
<body>
<main>
<h1>${escaped(info.title)} ${escaped(info.version)}: HTTP API</h1>
<p>${escaped(info.description ?? '')}</p>
<p>For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1). <a href="/">To the app</a>.</p>
${sections.join('\n')}
</main>
</body>
</html>
`
}

export function docsStyle(): string {
  return STYLE
}

interface DocumentedRoute {
  readonly path: string
  readonly method: string
  readonly operation: Readonly<Record<string, unknown>>
}

function tagOf({ operation }: DocumentedRoute): string {
  return String(asList(operation['tags'])[0] ?? '')
}

function operationMarkup({ path, method, operation }: DocumentedRoute): string {
  const { summary, description, parameters, requestBody, responses } = operation
  const rows = asList(parameters).map(asRecord).map(parameterRow)
  const table = rows.length === 0 ? '' : `<table><tr><th>name<th>in<th>type</tr>${rows.join('')}</table>`
  const answers = Object.entries(asRecord(responses))
    .filter(([status]) => status !== 'default')
    .map(([status, response]) => bodyMarkup(`Answer ${status}`, asRecord(response)['content']))
  return `<details>
<summary><code><b>${escaped(method.toUpperCase())}</b> ${escaped(path)}</code> ${escaped(String(summary ?? ''))}</summary>
<p>${escaped(String(description ?? ''))}</p>
${table}${bodyMarkup('Body', asRecord(requestBody)['content'])}${answers.join('')}
</details>`
}

function parameterRow({ name, in: place, schema }: Readonly<Record<string, unknown>>): string {
  return `<tr><td><code>${escaped(String(name))}</code><td>${escaped(String(place))}<td><code>${escaped(JSON.stringify(schema))}</code></tr>`
}

function bodyMarkup(title: string, content: unknown): string {
  return Object.entries(asRecord(content))
    .map(([type, media]) => {
      const schema = JSON.stringify(asRecord(media)['schema'], null, 2)
      return `<h3>${escaped(title)}: ${escaped(type)}</h3><pre tabindex="0">${escaped(schema)}</pre>`
    })
    .join('')
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

const STYLE = `:root { color-scheme: light dark }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.4rem }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .25rem }
h3 { font-size: .95rem; margin: .75rem 0 .25rem }
details { border-top: 1px solid #8886; padding: .25rem 0 }
summary { cursor: pointer; overflow-wrap: anywhere }
pre { overflow: auto; max-height: 24rem; padding: .5rem; border: 1px solid #8886; font-size: .8rem }
table { border-collapse: collapse; font-size: .9rem }
th, td { text-align: left; padding: .1rem .75rem .1rem 0; vertical-align: top; overflow-wrap: anywhere }
`
