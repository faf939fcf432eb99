import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration } from '../../../db/migrations/migration.ts'
import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { connect } from '../../../db/connection/connect.ts'
import { migrations } from '../../../db/migrations/index.ts'
import { migrate } from '../../../db/migrations/migrator.ts'
import { administer, serverConfig } from '../../helpers/database.ts'

/** What an assignment had before, and has after the upgrade; `told`: the types that it lost. */
interface Case {
  user: string
  pattern: string
  types: string[] | null
  permission?: 'read' | 'write'
  ended?: boolean
  after: { types: string[] | null; permission: string }
  told: string[] | null
}

const kept = (types: string[] | null, permission = 'write') => ({ types, permission })

const CASES: Case[] = [
  { user: 'apex', pattern: '@', types: ['A', 'NS', 'CDS'], after: kept(['A']), told: ['NS', 'CDS'] },
  { user: 'only', pattern: 'app', types: ['NS'], after: kept(null, 'read'), told: ['NS'] },
  { user: 'both', pattern: 'app', types: ['NS', 'DS'], after: kept(['NS']), told: ['DS'] },
  { user: 'both', pattern: '*.app', types: ['NS', 'A'], after: kept(['NS', 'A']), told: null },
  { user: 'deep', pattern: 'a.b.dev', types: ['NS'], after: kept(['NS']), told: null },
  { user: 'deep', pattern: '*.dev', types: null, after: kept(null), told: null },
  { user: 'late', pattern: 'app', types: ['NS', 'A'], after: kept(['A']), told: ['NS'] },
  { user: 'late', pattern: '*.app', types: null, ended: true, after: kept(null), told: null },
  { user: 'whole', pattern: '*', types: ['NS', 'DS'], after: kept(['NS', 'DS']), told: ['NS'] },
  { user: 'silent', pattern: 'app', types: null, after: kept(null), told: null },
  {
    user: 'reader',
    pattern: 'app',
    types: ['NS'],
    permission: 'read',
    after: kept(['NS'], 'read'),
    told: null,
  },
  { user: 'plain', pattern: 'app', types: ['A', 'TXT'], after: kept(['A', 'TXT']), told: null },
]

void t.test('24. assignments that name types that redirect lose those, and people are told', async (t) => {
  const database = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${database}`)
  const { db, close } = connect({ ...serverConfig(), database })
  t.teardown(async () => {
    await close()
    await administer(`drop database ${database} with (force)`)
  })
  const names = Object.keys(migrations)
  const upTo = (end: number) =>
    Object.fromEntries(names.slice(0, end).map((name) => [name, migrations[name] as Migration]))
  const at = names.indexOf('0037-redirecting-types')
  await migrate(db, upTo(at))

  const users = new Map(
    [...new Set(['owner', ...CASES.map(({ user }) => user)])].map((name) => [name, uuidv7()]),
  )
  for (const [username, id] of users) {
    await sql`insert into users (id, username, role, password_hash) values (${id}::uuid, ${username}, 'member', '')`.execute(
      db,
    )
  }
  const owner = users.get('owner') as string
  const [configId, domainId] = [uuidv7(), uuidv7()]
  await sql`insert into provider_configs (id, provider, name, owner_id, credentials)
    values (${configId}::uuid, 'manual', 'manual', ${owner}::uuid, ''::bytea)`.execute(db)
  await sql`insert into domains (id, name, unicode_name, provider_id, provider_config_id, owner_id, zone_id, expiry_remind_days, default_ttl)
    values (${domainId}::uuid, 'xn--bcher-kva.example', 'bücher.example', ${uuidv7()}::uuid, ${configId}::uuid, ${owner}::uuid, 'z', '{30}', 3600)`.execute(
    db,
  )
  const ids = CASES.map(() => uuidv7())
  for (const [i, { user, pattern, types, permission = 'write', ended }] of CASES.entries()) {
    await sql`insert into assignments (id, user_id, domain_id, pattern, permission, record_types, expires_at)
      values (${ids[i]}::uuid, ${users.get(user)}::uuid, ${domainId}::uuid, ${pattern}, ${permission}, ${types}::text[],
        ${ended ? sql`now() - interval '1 hour'` : null})`.execute(db)
  }
  await migrate(db, upTo(at + 1))

  const { rows } = await sql<{ id: string; types: string[] | null; permission: string }>`
    select id, record_types as types, permission from assignments`.execute(db)
  const { rows: events } = await sql<{ payload: { userIds: string[]; metadata: Record<string, unknown> } }>`
    select payload from events where name = 'assignment.restricted'`.execute(db)
  for (const [i, { user, pattern, after, told }] of CASES.entries()) {
    const { id: _, ...found } = rows.find(({ id }) => id === ids[i]) ?? { id: '' }
    t.same(found, after, `${user} ${pattern}`)
    const event = events.find(
      ({ payload: { metadata } }) =>
        metadata['username'] === user && metadata['subdomainPattern'] === pattern,
    )
    t.same(event?.payload.metadata['recordTypes'] ?? null, told, `what ${user} is told of ${pattern}`)
    if (told) t.same(event?.payload.userIds, [users.get(user), owner])
  }
  t.match(events.find(({ payload }) => payload.metadata['username'] === 'only')?.payload.metadata, {
    type: 'subdomain',
    host: 'app.xn--bcher-kva.example',
    unicodeHost: 'app.bücher.example',
  })
  const audited = await sql`select from audit where action = 'assignment.updated'`.execute(db)
  t.equal(audited.rows.length, 4, 'each that was changed is in the audit trail')
})
