import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** check-release.ts TAG: fails unless the tag of a release is `v` plus the version of every published package. */
const [tag = ''] = process.argv.slice(2)
const versions = globSync('packages/*/package.json').map((file): [string, string] => {
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return [file, version]
})
const others = versions.filter(([, version]) => tag !== `v${version}`)
for (const [file, version] of others) console.error(`${file} must have the version of the tag ${tag}, got ${version}`)
process.exitCode = others.length > 0 || versions.length === 0 ? 1 : 0
