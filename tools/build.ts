import { spawnSync } from 'node:child_process'
import { copyFileSync, rmSync } from 'node:fs'

/** In order of dependency: the second is compiled against the declarations of the first. */
const PACKAGES = ['packages/certificate', 'packages/quorate']

for (const folder of PACKAGES) {
  rmSync(`${folder}/dist`, { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], {
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.error(`build: ${folder} does not compile, see the lines above`)
    process.exit(1)
  }
  copyFileSync('LICENSE', `${folder}/dist/LICENSE`)
  console.log(`built ${folder}/dist`)
}
