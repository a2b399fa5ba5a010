import { readFileSync, writeFileSync } from 'node:fs'
import { configJsonSchema } from '../src/config/config.ts'

/** node --conditions=quorate-source packages/quorate/schema/make-schema.ts [--check] */
const place = new URL('quorate.config.schema.json', import.meta.url)
const text = `${JSON.stringify(configJsonSchema(), null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(place, 'utf8') !== text) {
    process.stderr.write('quorate.config.schema.json is out of date: run make-schema.ts without --check\n')
    process.exitCode = 1
  }
} else writeFileSync(place, text)
