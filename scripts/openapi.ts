import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { connect } from '../db/connect.ts'

/**
 * Writes the API description without a running server or a database.
 *
 *   npm run --silent openapi                       to standard output
 *   npm run --silent openapi -- openapi.json       to a file
 *   npm run --silent openapi -- --v1 openapi.json  that of the Open API alone
 */
const { values, positionals } = parseArgs({ options: { v1: { type: 'boolean' } }, allowPositionals: true })
const [file] = positionals
const connection = connect({ host: '127.0.0.1', port: 1 })
const config = { ...readConfig(), redisUrl: null, logLevel: 'silent' }
const app = await buildApp(config, { connection, secretKeys: [Buffer.alloc(32)], alone: false })
const { body } = await app.inject(values.v1 === true ? '/api/v1/openapi.json' : '/openapi.json')
await app.close()
await connection.close()

const document = `${JSON.stringify(JSON.parse(body), null, 2)}\n`
if (file === undefined) process.stdout.write(document)
else writeFileSync(file, document)
