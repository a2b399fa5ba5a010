import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Fails unless the tag of a release is `v` and the version of every package that is published: check-release.ts TAG. */
const [tag = ''] = process.argv.slice(2)
const versions = globSync('packages/*/package.json').map((file): [string, string] => {
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return [file, version]
})
const others = versions.filter(([, version]) => tag !== `v${version}`)
for (const [file, version] of others) console.error(`${file} must have the version of the tag ${tag}, got ${version}`)
process.exitCode = others.length > 0 || versions.length === 0 ? 1 : 0
