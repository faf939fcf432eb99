import { writeFileSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { generateApi } from 'swagger-typescript-api'

/**
 * What of the typed client is generated: clients/typescript/generated, from the description of the Open API. The
 * templates beside it say how a method looks; what one call does is hand-written, in clients/typescript/http.ts.
 *
 *   npm run client
 */

export const GENERATED = new URL('../clients/typescript/generated/', import.meta.url)
const TEMPLATES = fileURLToPath(new URL('client', import.meta.url))
const HEAD = '// Generated from the description of the Open API by scripts/client.ts: not to be edited.\n'

export interface ApiDescription {
  paths: Record<string, Record<string, { tags?: string[] }>>
}

/** The generated files by name. */
export async function generateClient(document: ApiDescription): Promise<Map<string, string>> {
  const { files } = await generateApi({
    spec: asOneClass(document),
    output: false,
    silent: true,
    templates: TEMPLATES,
    modular: true,
    moduleNameFirstTag: true,
    enumStyle: 'union',
    hooks: { onInsertPathParam: (name) => `encodeURIComponent(${name})` },
  })
  return new Map(
    ['operations', 'data-contracts'].map((name) => {
      const found = files.find(({ fileName }) => fileName.toLowerCase() === name)
      if (!found) throw new Error(`The generator wrote no ${name}`)
      return [`${name}.ts`, HEAD + found.fileContent.replace(/^(\/\*[^]*?\*\/\s*|\/\/.*\s*)*/, '\n')]
    }),
  )
}

/** All operations in one class, whatever their tags. */
function asOneClass(document: ApiDescription): ApiDescription {
  const copy = structuredClone(document)
  for (const operation of Object.values(copy.paths).flatMap((path) => Object.values(path)))
    operation.tags = ['operations']
  return copy
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const document = (await json(process.stdin)) as ApiDescription
  for (const [name, text] of await generateClient(document)) writeFileSync(new URL(name, GENERATED), text)
}
