import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { BuiltSite } from './build-site.ts'

/** Every link, anchor and image that leads nowhere, and every link that is not HTTPS; empty if the site is sound. */
export function siteProblems(folder: string, { pages }: BuiltSite): readonly string[] {
  const files = globSync('**/*.html', { cwd: folder })
  const texts = new Map(files.map((file) => [file, readFileSync(posix.join(folder, file), 'utf8')]))
  const ids = new Map([...texts].map(([file, text]) => [file, new Set(valuesOf(text, 'id'))]))
  const strays = pages.flatMap(({ page, strays: links }) =>
    links.map((link) => `${page.source}: ${link} leads to a file that is no page of the site`),
  )
  return [...strays, ...[...texts].flatMap(([file, text]) => problemsOf(file, text, folder, ids))]
}

function problemsOf(
  file: string,
  text: string,
  folder: string,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const links = [...valuesOf(text, 'href'), ...valuesOf(text, 'src')].filter((link) => link !== 'data:,')
  return [...new Set(links)].flatMap((link) => {
    if (/^https:\/\//.test(link)) return []
    if (/^[a-z]+:/i.test(link)) return [`${file}: ${link} must begin with https`]
    const [path = '', hash] = link.split('#')
    const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path))
    if (target.startsWith('..') || !existsSync(posix.join(folder, target))) return [`${file}: ${link} does not exist`]
    if (hash !== undefined && ids.get(target)?.has(hash) !== true) return [`${file}: ${link} has no such section`]
    return []
  })
}

function valuesOf(html: string, attribute: 'href' | 'src' | 'id'): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replace(/&#38;/g, '&'),
  )
}
