import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import t from 'tap'
import { CreatedDomain } from '../../modules/domains/schemas.ts'
import { auditFields } from '../../web/messages/zh/service/audit-fields.ts'

const MODULES = fileURLToPath(new URL('../../modules/', import.meta.url))

/** The names in the states that a file tells the audit trail of. */
function namesIn(code: string): string[] {
  const states = [...code.matchAll(/\b(?:before|after|details): \{ ([^{}]+) \}/g)]
  return states
    .flatMap(([, members = '']) => members.split(',').map((one) => one.trim()))
    .flatMap((member) => /^([a-zA-Z]+)(?::|$)/.exec(member)?.[1] ?? [])
}

void t.test('each audit field has a Chinese name', async (t) => {
  const told = globSync('**/*.ts', { cwd: MODULES })
    .map((name) => readFileSync(path.join(MODULES, name), 'utf8'))
    .filter((code) => /\b(?:recordAudit|auditPart|changeFactor)\(/.test(code))
    .flatMap(namesIn)
  t.ok(told.includes('ownerId'), 'they are found')
  const names = new Set([
    ...told,
    ...Object.keys(CreatedDomain.properties).filter((name) => name !== 'warnings'),
  ])
  t.same(
    [...names].filter((name) => auditFields[name] === undefined),
    [],
  )
})
