import fc from 'fast-check'
import {
  sql,
  type AliasedRawBuilder,
  type Expression,
  type RawBuilder,
  type SqlBool,
  type Transaction,
} from 'kysely'
import t, { type Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../../db/tables/index.ts'
import { recordScopeOf, seesDomain, seesRecord, type Grant } from '../../../modules/domains/access/access.ts'
import * as access from '../../../modules/domains/access/access-queries.ts'
import { findHolders } from '../../../modules/domains/access/access-queries.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { createDatabase } from '../../helpers/database.ts'

/** Of generated users, domains, permissions, records and tokens, SQL selects what the rule in TypeScript lets through. */

type Trx = Transaction<Database>

const { db } = await createDatabase(t)

const USERS = ['root', 'ada', 'bob'] as const
const NAMES = [
  '@',
  '*',
  'dev',
  'a.dev',
  'x.a.dev',
  'xdev',
  'x\\.dev',
  'x\\\\.dev',
  'd%v',
  'a.d%v',
  '_ev',
  '*.dev',
]
const PATTERNS = ['*', '@', 'dev', 'a.dev', '*.dev', '*.a.dev', '*.d%v', 'd%v', '*._ev', 'x\\.dev']
const TYPES = ['A', 'TXT'] satisfies RecordType[]
const ZONES = ['one.example', 'two.example', 'three.example']

const some = <T>(values: readonly T[], minLength: number, maxLength: number) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength, maxLength })

const permission = fc.record({
  user: fc.constantFrom(...USERS),
  pattern: fc.constantFrom(...PATTERNS),
  permission: fc.constantFrom('read' as const, 'write' as const),
  recordTypes: fc.option(some(TYPES, 1, 2)),
  isExpired: fc.boolean(),
})
const domain = fc.record({
  owner: fc.constantFrom(...USERS),
  permissions: fc.uniqueArray(permission, {
    maxLength: 4,
    selector: (each) => `${each.user} ${each.pattern}`,
  }),
  names: some(NAMES, 0, 6),
})
const restrictions = fc.record({
  zones: fc.option(some(ZONES, 0, 2)),
  namePatterns: fc.option(some(PATTERNS, 1, 2)),
  recordTypes: fc.option(some(TYPES, 1, 2)),
})
const world = fc.record({
  domains: fc.array(domain, { minLength: 1, maxLength: ZONES.length }),
  restrictions: fc.array(restrictions, { minLength: 1, maxLength: 2 }),
})

type World = typeof world extends fc.Arbitrary<infer W> ? W : never

interface Zone {
  id: string
  name: string
  owner_id: string
  permissions: World['domains'][number]['permissions']
  records: { id: string; name: string; type: RecordType }[]
}

const userIds = new Map(USERS.map((name) => [name, uuidv7()]))
const userId = (name: (typeof USERS)[number]) => userIds.get(name) as string
const configId = uuidv7()

await db
  .insertInto('users')
  .values(
    USERS.map((username) => ({
      id: userId(username),
      username,
      email: null,
      email_verified: false,
      password_hash: null,
      role: username === 'root' ? 'admin' : 'member',
      display_name: null,
      nickname: null,
      avatar_url: null,
      notifications_enabled: true,
      email_notifications_enabled: false,
      disabled_at: null,
      last_login_at: null,
    })),
  )
  .execute()
await db
  .insertInto('provider_configs')
  .values({
    id: configId,
    provider: 'manual',
    name: 'own',
    owner_id: userId('root'),
    credentials: Buffer.of(0),
  })
  .execute()

async function store(trx: Trx, given: World): Promise<Zone[]> {
  const zones = given.domains.map(({ owner, permissions, names }, i): Zone => ({
    id: uuidv7(),
    name: ZONES[i] as string,
    owner_id: userId(owner),
    permissions,
    records: names.flatMap((name) => TYPES.map((type) => ({ id: uuidv7(), name, type }))),
  }))
  for (const { id, name, owner_id, permissions, records } of zones) {
    await sql`insert into domains (id, name, unicode_name, provider_id, provider_config_id, zone_id, owner_id,
      expiry_remind_days, default_ttl, record_count, unmanaged_count)
      values (${id}, ${name}, ${name}, '0192f0a0-0000-7000-8000-000000000001', ${configId}, ${name}, ${owner_id},
        '{}', 3600, ${records.length}, ${records.length})`.execute(trx)
    for (const { user, pattern, permission, recordTypes, isExpired } of permissions) {
      await trx
        .insertInto('assignments')
        .values({
          id: uuidv7(),
          user_id: userId(user),
          domain_id: id,
          pattern,
          permission,
          record_types: recordTypes,
          expires_at: new Date(Date.now() + (isExpired ? -1 : 1) * 3_600_000),
          created_by: null,
        })
        .execute()
    }
    const rows = JSON.stringify(records)
    await sql`insert into records (id, domain_id, name, type, value, ttl, status)
      select id, ${id}, name, type, '192.0.2.1', 300, 'active'
      from jsonb_to_recordset(${rows}::jsonb) as r (id uuid, name text, type text)`.execute(trx)
    await sql`insert into unmanaged_records (domain_id, name, type, ttl, value)
      select ${id}, name, type, 300, '' from jsonb_to_recordset(${rows}::jsonb) as r (name text, type text)`.execute(
      trx,
    )
  }
  return zones
}

/** Each user, signed in and with each of the tokens. */
const callersOf = (given: World, zones: Zone[]): Principal[] =>
  USERS.flatMap((username) =>
    [null, ...given.restrictions].map((restricted): Principal => {
      const domainIds = restricted?.zones?.flatMap(
        (name) => zones.find((zone) => zone.name === name)?.id ?? [],
      )
      const token = restricted && {
        id: uuidv7(),
        name: 'token',
        suffix: 'abcd',
        permissions: [],
        restrictions: {
          ...(domainIds && { domainIds }),
          ...(restricted.namePatterns && { namePatterns: restricted.namePatterns }),
          ...(restricted.recordTypes && { recordTypes: restricted.recordTypes }),
        },
      }
      const role = username === 'root' ? 'admin' : 'member'
      return { userId: userId(username), username, role, sessionId: '', token }
    }),
  )

const grantsOf = (zone: Zone, caller: Principal): Grant[] =>
  zone.permissions.filter(({ user, isExpired }) => !isExpired && userId(user) === caller.userId)

/** What the rule in TypeScript lets a caller see. */
function ruleOf(zones: Zone[], caller: Principal) {
  const granted = zones.map((zone) => ({ ...zone, grants: grantsOf(zone, caller) }))
  const seen = granted.filter((zone) => seesDomain(zone, caller))
  const recordsOf = (zone: (typeof granted)[number]) =>
    zone.records.filter((record) => seesRecord(recordScopeOf(zone, caller), record))
  return { seen, recordsOf, records: seen.flatMap(recordsOf) }
}

const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort()

const select = async (
  trx: Trx,
  table: 'domains' | 'records',
  from: RawBuilder<unknown> | AliasedRawBuilder<unknown, 'domains'>,
  conditions: readonly Expression<SqlBool>[] = [],
) => {
  const where = sql.join([sql`true`, ...conditions], sql` and `)
  const { rows } = await sql<{
    id: string
  }>`select ${sql.ref(`${table}.id`)} from ${from} where ${where}`.execute(trx)
  return idsIn(rows)
}

async function compare(t: Test, trx: Trx, zones: Zone[], caller: Principal) {
  const { seen, recordsOf, records } = ruleOf(zones, caller)
  const owned = seen.filter(({ owner_id }) => caller.role === 'admin' || owner_id === caller.userId)

  t.same(await select(trx, 'domains', sql`domains`, [access.visibleTo(caller)]), idsIn(seen), 'visibleTo')
  t.same(await select(trx, 'domains', access.domainsOf(caller)), idsIn(seen), 'domainsOf')
  t.same(await select(trx, 'domains', access.ownDomainsOf(caller)), idsIn(owned), 'ownDomainsOf')
  for (const zone of zones) {
    const isSeen = seen.some(({ id }) => id === zone.id)
    t.equal(
      (await access.findVisibleDomain(trx, caller, zone.id, {})) !== undefined,
      isSeen,
      'findVisibleDomain',
    )
    const byPattern = (grants: readonly Grant[]) =>
      grants
        .map(
          ({ pattern, permission, recordTypes }) => `${pattern} ${permission} ${recordTypes?.join() ?? ''}`,
        )
        .sort()
    if (caller.role !== 'admin') {
      const found = await access.findGrants(trx, caller, zone.id)
      t.same(byPattern(found), byPattern(grantsOf(zone, caller)), 'findGrants')
    }
  }

  const joined = sql`records join domains on domains.id = records.domain_id`
  t.same(
    await select(trx, 'records', joined, access.recordsVisibleTo(caller)),
    idsIn(records),
    'recordsVisibleTo',
  )
  const whole = sql`(select r.*, domains.whole from records as r join (
      select id, ${access.isWhole(caller)} as whole from ${access.domainsOf(caller)}
    ) as domains on domains.id = r.domain_id) as records`
  if (caller.role !== 'admin')
    t.same(
      await select(trx, 'records', whole, access.recordsVisibleIn(caller)),
      idsIn(records),
      'recordsVisibleIn',
    )
  for (const zone of seen) {
    const inZone = idsIn(recordsOf(zone))
    const isOf = sql<SqlBool>`records.domain_id = ${zone.id}`
    const withDomain = [isOf, ...access.recordsVisibleTo(caller, zone.id)]
    t.same(await select(trx, 'records', joined, withDomain), inZone, 'recordsVisibleTo, one domain')
    const scope = [isOf, ...access.recordsInScope(recordScopeOf(zone, caller))]
    t.same(await select(trx, 'records', sql`records`, scope), inZone, 'recordsInScope')
  }

  for (const [count, of, title] of [
    [access.visibleRecordCount(caller), access.domainsOf(caller), 'visibleRecordCount'],
    [access.visibleUnmanagedCount(caller), access.domainsOf(caller), 'visibleUnmanagedCount'],
    [
      access.visibleRecordCount(caller, { owned: true }),
      access.ownDomainsOf(caller),
      'visibleRecordCount, owned',
    ],
  ] as const) {
    const { rows } = await sql<{
      id: string
      count: number
    }>`select id, ${count} as count from ${of}`.execute(trx)
    for (const { id, count } of rows) {
      const zone = seen.find((each) => each.id === id)
      t.equal(count, zone && recordsOf(zone).length, title)
    }
  }

  const held = await findHolders(trx, caller, ZONES)
  const reached = held.filter(({ reached }) => reached)
  t.same(idsIn(held), idsIn(ruleOf(zones, { ...caller, token: null }).seen), 'findHolders')
  t.same(idsIn(reached), idsIn(seen), 'findHolders, with the token')
}

/** Who is told of a record: the members who see it. */
async function compareViewers(t: Test, trx: Trx, zones: Zone[], callers: Principal[]) {
  for (const zone of zones) {
    const { rows } = await sql<{ user_id: string; patterns: string[] | null }>`
      select * from ${access.viewersOf(zone.id)} as viewers`.execute(trx)
    for (const caller of callers.filter(({ token, role }) => token === null && role !== 'admin')) {
      const viewer = rows.find(({ user_id }) => user_id === caller.userId)
      t.equal(
        viewer !== undefined,
        seesDomain({ ...zone, grants: grantsOf(zone, caller) }, caller),
        'viewersOf',
      )
      if (!viewer) continue
      const { seen } = recordScopeOf({ ...zone, grants: grantsOf(zone, caller) }, caller)
      const patterns = viewer.patterns?.includes('*') === true ? null : viewer.patterns
      t.same(patterns, seen && [...seen].sort(), 'viewersOf, patterns')
    }
  }
}

class Undo extends Error {}

void t.test('all forms of the rule of visibility agree', async (t) => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      await db
        .transaction()
        .execute(async (trx) => {
          const zones = await store(trx, given)
          const callers = callersOf(given, zones)
          for (const caller of callers) await compare(t, trx, zones, caller)
          await compareViewers(t, trx, zones, callers)
          throw new Undo()
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undo)) throw error
        })
      if (!t.passing()) throw new Error('the forms differ')
    }),
    { numRuns: 40, seed: 25 },
  )
})
