import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

void t.test("the console's types of the API are those of today's description", async (t) => {
  const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-types-'))
  t.teardown(() => rmSync(work, { recursive: true, force: true }))
  const [document, types] = [path.join(work, 'openapi.json'), path.join(work, 'schema.d.ts')]
  const run = (...command: string[]) => execFileSync(process.execPath, command, { cwd: ROOT, stdio: 'pipe' })
  run('scripts/openapi.ts', document)
  run('scripts/api-types.ts', document, types)
  const isSame = readFileSync(types, 'utf8') === readFileSync(path.join(ROOT, 'web/api/schema.d.ts'), 'utf8')
  t.ok(isSame, 'else: npm run console:types')
})
