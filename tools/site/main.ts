import process from 'node:process'
import { buildSite } from './build-site.ts'
import { siteProblems } from './check-site.ts'

const USAGE = `npm run site [-- FOLDER]

Writes the documents as a site into FOLDER (default dist/site) and checks its
links. It needs no network.
`

const [folder = 'dist/site', ...others] = process.argv.slice(2)
if (folder.startsWith('-') || others.length > 0) {
  const isHelp = others.length === 0 && (folder === '--help' || folder === '-h')
  process[isHelp ? 'stdout' : 'stderr'].write(USAGE)
  process.exit(isHelp ? 0 : 2)
}
const site = await buildSite(folder)
const problems = siteProblems(folder, site)
for (const problem of problems) console.error(`site: ${problem}`)
console.log(`${site.pages.length} pages in ${folder}: open ${folder}/index.html`)
process.exitCode = problems.length === 0 ? 0 : 1
