// Validates XML files against a schema: node xsd.mjs MODULES SCHEMA FILE...
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [modules, schema, ...files] = process.argv.slice(2)
const require = createRequire(pathToFileURL(modules + '/'))
const { validateXML } = require('xmllint-wasm')
const result = await validateXML({
  xml: files.map(fileName => ({ fileName, contents: readFileSync(fileName, 'utf8') })),
  schema: [readFileSync(schema, 'utf8')],
})
for (const e of result.errors) console.log(e.rawMessage)
process.exit(result.valid ? 0 : 1)
