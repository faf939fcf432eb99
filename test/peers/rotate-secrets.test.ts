import { randomBytes } from 'node:crypto'
import t from 'tap'
import { sql } from 'kysely'
import { seedContext } from '../../modules/auth/two-factor/totp.ts'
import { createSecrets } from '../../plugins/security/secrets.ts'
import { rotateColumn } from '../../scripts/secrets/rotation.ts'
import { SEALED_COLUMNS } from '../../scripts/secrets/sealed-columns.ts'
import { startApp } from '../helpers/app.ts'
import { createDatabase } from '../helpers/database.ts'
import { addPowerDns, idOf, startFake } from '../helpers/zone.ts'
import { runScript, urlOf } from './run-script.ts'

t.setTimeout(120_000)

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const keys = (...list: Buffer[]) => list.map((key) => key.toString('base64')).join(',')

void t.test(
  '76. everything that is sealed is sealed with the first key; then the old one can go',
  async (t) => {
    const before = createSecrets([oldKey])
    const fake = await startFake(t)
    const first = await startApp(t, { environment: { SECRET_KEY: keys(oldKey) } })
    const id = await first.addUser('ada')
    const totp_secret = before.seal('JBSWY3DPEHPK3PXP', seedContext(id))
    await first.database.db.updateTable('users').set({ totp_secret }).where('id', '=', id).execute()
    const configId = await addPowerDns(first.admin, fake)
    const channel = { channel: 'web', name: 'Here', config: { audience: 'all' }, events: [] }
    const channelId = idOf(await first.admin.post('/api/notifications', channel))
    const environment = { DATABASE_URL: urlOf(first.database) }

    const rotated = await runScript('secrets/rotate-secrets.ts', [], {
      ...environment,
      SECRET_KEY: keys(newKey, oldKey),
    })
    t.equal(rotated.code, 0, rotated.output)
    t.match(rotated.output, /provider_configs\.credentials: 1 re-encrypted, 0 already were, 0 left/)
    t.match(rotated.output, /channel_configs\.config: 1 re-encrypted/)
    t.match(rotated.output, /users\.totp_secret: 1 re-encrypted/)
    t.notMatch(rotated.output, /JBSWY3DPEHPK3PXP/)

    const again = await runScript('secrets/rotate-secrets.ts', [], {
      ...environment,
      SECRET_KEY: keys(newKey),
    })
    t.match(again, { code: 0, output: /0 re-encrypted, 1 already were, 0 left/ })
    const after = await startApp(t, { database: first.database, environment: { SECRET_KEY: keys(newKey) } })
    t.match(await after.admin.post(`/api/provider-configs/${configId}/test`), { body: { success: true } })
    t.match(await after.admin.get(`/api/notifications/configs/${channelId}`), { body: channel })
    const row = await first.database.db
      .selectFrom('users')
      .select('totp_secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    t.equal(createSecrets([newKey]).open(row.totp_secret as Buffer, seedContext(id)), 'JBSWY3DPEHPK3PXP')
  },
)

void t.test('what no key opens is named and left as it is', async (t) => {
  const { addUser, database } = await startApp(t)
  const id = await addUser('ada')
  const totp_secret = createSecrets([randomBytes(32)]).seal('x', seedContext(id))
  await database.db.updateTable('users').set({ totp_secret }).where('id', '=', id).execute()
  const environment = { DATABASE_URL: urlOf(database), SECRET_KEY: keys(newKey, oldKey) }
  const { code, output } = await runScript('secrets/rotate-secrets.ts', [], environment)
  t.equal(code, 1)
  t.match(output, new RegExp(`left: users.totp_secret of ${id}`))
  t.match(output, /Keep all keys/)
})

void t.test('goes over many batches, and goes on where it was interrupted', async (t) => {
  const { database } = await startApp(t)
  const { db } = database
  const [before, both] = [createSecrets([oldKey]), createSecrets([newKey, oldKey])]
  await sql`insert into users (id, username, role)
    select gen_random_uuid(), 'many' || i, 'member' from generate_series(1, 250) i`.execute(db)
  const users = await db.selectFrom('users').select('id').where('username', 'like', 'many%').execute()
  for (const [i, { id }] of users.entries()) {
    // Some were done before the interruption.
    const totp_secret = (i % 5 === 0 ? both : before).seal(`seed of ${id}`, seedContext(id))
    await db.updateTable('users').set({ totp_secret }).where('id', '=', id).execute()
  }
  const column = SEALED_COLUMNS.find(({ table }) => table === 'users')
  if (!column) throw new Error('No column')
  t.same(await rotateColumn(db, both, column), { rotated: 200, current: 50, left: [] })
  const rows = await db
    .selectFrom('users')
    .select(['id', 'totp_secret'])
    .where('username', 'like', 'many%')
    .execute()
  const after = createSecrets([newKey])
  t.ok(
    rows.every(
      ({ id, totp_secret }) => after.open(totp_secret as Buffer, seedContext(id)) === `seed of ${id}`,
    ),
  )
})

/** Columns of bytes that hold digests, keys of others, or what lives for minutes and may become unreadable. */
const NOT_SEALED = [
  'acme_registrations.secret_hash',
  'idempotency_keys.request_hash',
  'invitations.code_hash',
  'mail_tokens.hash',
  'oauth_flows.cookie_hash',
  'oauth_flows.hash',
  'oauth_flows.secrets',
  'oauth_logout_tokens.hash',
  'oauth_pending.cookie_hash',
  'oauth_pending.hash',
  'oauth_tickets.cookie_hash',
  'oauth_tickets.hash',
  'passkeys.public_key',
  'personal_tokens.hash',
  'rate_limit_counters.key',
  'recovery_codes.hash',
  'refresh_tokens.hash',
  'sign_in_challenges.email_code_hash',
  'signed_messages.mac',
]

void t.test('76. no sealed column is forgotten', async (t) => {
  const { db } = await createDatabase(t)
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by name
  `.execute(db)
  const known = [...NOT_SEALED, ...SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)]
  t.same(
    rows.map(({ name }) => name),
    known.sort(),
    'a new column of bytes belongs to scripts/secrets/sealed-columns.ts, or here',
  )
})
