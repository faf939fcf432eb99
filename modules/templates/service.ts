import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import { conflict, forbidden, notFound } from '../../plugins/http/errors.ts'
import { keepingResult } from '../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import type { Ownership } from '../../plugins/security/ownership.ts'
import { recordAudit, type AuditAction } from '../audit/service.ts'
import { BUILT_IN, builtInById } from './builtin.ts'
import {
  countSharedOf,
  countTemplates,
  deleteTemplateRow,
  findTemplate,
  giveSharedTo,
  insertTemplate,
  listTemplateRows,
  updateTemplate,
  type Content,
  type TemplateRow,
} from './queries.ts'
import { checkTemplate } from './rendered.ts'
import type { Template, TemplateBody, TemplateRecord, TemplateVariable } from './schemas.ts'

/** Per user. */
const MAX_TEMPLATES = 100

/** A shared template belongs to its creator but stays when the account is deleted. */
export const sharedTemplates: Ownership = {
  name: 'shared templates',
  count: countSharedOf,
  transfer: async (trx, from, to) => void (await giveSharedTo(trx, from, to)),
}

const toTemplate = (row: TemplateRow): Template => ({
  id: row.id,
  name: row.name,
  description: row.description,
  variables: row.variables as TemplateVariable[],
  records: row.records as TemplateRecord[],
  builtIn: false,
  shared: row.shared,
  ownerId: row.owner_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** Returns built-in, own and shared templates. */
export async function listTemplates(db: Kysely<Database>, principal: Principal): Promise<Template[]> {
  return [...BUILT_IN, ...(await listTemplateRows(db, principal)).map(toTemplate)]
}

/** Throws 404 if the caller can't see it. */
export async function readTemplate(
  db: Kysely<Database>,
  principal: Principal,
  id: string,
): Promise<Template> {
  const builtIn = builtInById(id)
  if (builtIn) return builtIn
  const row = isUuid(id) ? await findTemplate(db, principal, id) : undefined
  if (!row) throw notFound('template', id)
  return toTemplate(row)
}

export async function createTemplate(
  db: Kysely<Database>,
  caller: Caller,
  body: TemplateBody,
): Promise<Template> {
  const content = readContent(caller, body)
  return keepingResult(db, caller, async (trx) => {
    if ((await countTemplates(trx, caller.userId)) >= MAX_TEMPLATES) {
      throw conflict(`You already have ${MAX_TEMPLATES} templates`, {
        reason: 'too_many_templates',
        params: { maximum: MAX_TEMPLATES },
      })
    }
    const row = await insertTemplate(trx, { id: uuidv7(), owner_id: caller.userId, ...content })
    await audit(trx, caller, 'template.created', row)
    return toTemplate(row)
  })
}

/** Replaces a template; for its owner, and for administrators if it is shared. */
export async function replaceTemplate(
  db: Kysely<Database>,
  caller: Caller,
  id: string,
  body: TemplateBody,
): Promise<Template> {
  const content = readContent(caller, body)
  return db.transaction().execute(async (trx) => {
    const before = await requireOwn(trx, caller, id)
    await requireMatch(caller, () => toTemplate(before))
    const row = await updateTemplate(trx, id, content)
    if (!row) throw notFound('template', id)
    await audit(trx, caller, 'template.updated', row)
    return toTemplate(row)
  })
}

export async function removeTemplate(db: Kysely<Database>, caller: Caller, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await requireOwn(trx, caller, id)
    await requireMatch(caller, () => toTemplate(row))
    await deleteTemplateRow(trx, id)
    await audit(trx, caller, 'template.deleted', row)
  })
}

/** Locks the template until the end of the transaction. */
async function requireOwn(trx: Kysely<Database>, caller: Caller, id: string): Promise<TemplateRow> {
  if (builtInById(id)) throw forbidden("Built-in templates can't be changed")
  const row = isUuid(id) ? await findTemplate(trx, caller, id, { lock: true }) : undefined
  if (!row) throw notFound('template', id)
  if (row.owner_id !== caller.userId && caller.role !== 'admin') {
    throw forbidden('This template belongs to another user')
  }
  return row
}

function readContent(caller: Caller, body: TemplateBody): Content {
  checkTemplate(body)
  const { name, description = '', variables = [], records, shared = false } = body
  if (shared && caller.role !== 'admin') throw forbidden('Templates for all are made by administrators')
  const json = { variables: JSON.stringify(variables), records: JSON.stringify(records) }
  return { name: name.trim(), description, shared, ...json }
}

const audit = (
  trx: Kysely<Database>,
  caller: Caller,
  action: AuditAction,
  { id, name, shared }: TemplateRow,
) => recordAudit(trx, caller, { action, target: { type: 'template', id, name }, after: { shared } })
