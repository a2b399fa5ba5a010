import { readFileSync, writeFileSync } from 'node:fs'
import { configJsonSchema } from '../src/config/config.ts'
import { exchangeJsonSchemas } from '../src/run/exchange/exchange-schemas.ts'

/** node --conditions=quorate-source packages/quorate/schema/make-schema.ts [--check] */
const schemas = { 'quorate.config': configJsonSchema(), ...exchangeJsonSchemas() }

for (const [name, schema] of Object.entries(schemas)) {
  const file = `${name}.schema.json`
  const place = new URL(file, import.meta.url)
  const text = `${JSON.stringify(schema, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(place, text)
  else if (readFileSync(place, 'utf8') !== text) {
    process.stderr.write(`${file} is out of date: run make-schema.ts without --check\n`)
    process.exitCode = 1
  }
}
