import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { connect } from '../db/connection/connect.ts'
import { DECIDED_BREAKS, incompatibilities, type Description } from './openapi-compatibility.ts'

/**
 * Writes the API description without a running server or a database.
 *
 *   npm run --silent openapi                       to standard output
 *   npm run --silent openapi -- openapi.json       to a file
 *   npm run --silent openapi -- --v1 openapi.json  only the Open API
 *   npm run openapi:release                        as docs/openapi-v1.json, which later versions must stay compatible with
 */
const { values, positionals } = parseArgs({
  options: { v1: { type: 'boolean', default: false }, release: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const RELEASED = new URL('../docs/openapi-v1.json', import.meta.url)
const file = values.release ? RELEASED : positionals[0]
const connection = connect({ host: '127.0.0.1', port: 1 })
const config = { ...readConfig(), logLevel: 'silent' }
const app = await buildApp(config, { connection, secretKeys: [Buffer.alloc(32)], alone: false })
const { body } = await app.inject(values.v1 || values.release ? '/api/v1/openapi.json' : '/openapi.json')
await app.close()
await connection.close()

const document = JSON.parse(body) as Description
if (values.release) checkRelease(document)
const text = values.release
  ? JSON.stringify(withoutExamples(document), null, 1)
  : JSON.stringify(document, null, 2)
if (file === undefined) process.stdout.write(`${text}\n`)
else writeFileSync(file, `${text}\n`)

/** Exits with the list of incompatibilities if clients of the last release would break. */
function checkRelease(next: Description): void {
  const last = JSON.parse(readFileSync(RELEASED, 'utf8')) as Description
  const lost = incompatibilities(last, next).filter((one) => !DECIDED_BREAKS.includes(one))
  if (lost.length === 0) return
  console.error(`Clients of the last release would break:\n${lost.join('\n')}`)
  process.exit(1)
}

/** Clients can't rely on examples, which are half of the document. */
function withoutExamples(value: unknown, isMembers = false): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutExamples(inner))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isMembers || (key !== 'example' && key !== 'examples'))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutExamples(inner, key === 'properties')]))
}
