import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** In order of dependency: the second is compiled against the declarations of the first. */
const PACKAGES = ['packages/certificate', 'packages/quorate', 'packages/ai-sdk']
/** Written by tools/build-web.ts, which replaces the app only if it changed, since a server may be starting with it. */
const APP = new Set(['web', 'web-build.json'])

for (const folder of PACKAGES) {
  const old = globSync('*', { cwd: `${folder}/dist` }).filter((name) => !APP.has(name))
  for (const name of old) rmSync(join(folder, 'dist', name), { recursive: true, force: true })
  run(['node_modules/typescript/bin/tsc', '-p', folder, '--checkers', '1'], `${folder} does not compile`)
  copyFileSync('LICENSE', `${folder}/dist/LICENSE`)
  console.log(`built ${folder}/dist`)
}
run(['tools/build-command.ts'], 'the command line cannot be bundled')
console.log('built packages/quorate/dist/bundle')
run(['tools/build-web.ts'], 'the web app cannot be built')
console.log('built packages/quorate/dist/web')

function run(args: readonly string[], failure: string): void {
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0) return
  console.error(`build: ${failure}, see the lines above`)
  process.exit(1)
}
