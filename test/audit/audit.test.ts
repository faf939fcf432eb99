import t from 'tap'
import { sql } from 'kysely'
import { SYSTEM } from '../../plugins/security/access/index.ts'
import { recordAudit } from '../../modules/audit/service.ts'
import { addTotp, codeOf, wrong } from '../auth/two-factor/steps.ts'
import { call, PASSWORD, startApp } from '../helpers/app.ts'
import { MANUAL } from '../helpers/zone.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)
const { db } = database

interface Entry {
  id: string
  at: string
  action: string
}

const entries = async (query: string): Promise<Entry[]> =>
  (await admin.get(`/api/audit?${query}`)).body.entries

/** Rows of an area of their own, one a second, oldest first. */
async function addRows(area: string, count: number, since = '2026-01-01T00:00:00Z') {
  await sql`
    insert into audit (id, at, actor_name, action, target_type, target_name)
    select gen_random_uuid(), ${since}::timestamptz + i * interval '1 second', 'maker',
      ${area} || '.made', ${area}, 'row ' || i
    from generate_series(1, ${count}::int) i
  `.execute(db)
}

void t.test('78. a change is there with who, what, where, before and after', async (t) => {
  const id = await addUser('ada')
  await admin.put(`/api/users/${id}`, { role: 'admin' }, { remoteAddress: '192.0.2.7' })
  const [entry] = await entries(`target=${id}&action=user.updated`)
  t.match(entry, {
    id: /^[0-9a-f-]{36}$/,
    at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    actor: { id: admin.userId, name: 'root' },
    ip: '192.0.2.7',
    requestId: String,
    action: 'user.updated',
    target: { type: 'user', id, name: 'ada' },
    before: { role: 'member' },
    after: { role: 'admin' },
  })
})

void t.test('78. sign-ins that failed are there, without the password', async (t) => {
  const payload = { username: 'ghost', password: 'secret of a ghost' }
  await call(app, { method: 'POST', url: '/api/auth/login', payload, remoteAddress: '192.0.2.8' })
  const found = await entries('action=auth.login_failed&actor=ghost')
  t.match(found, [{ ip: '192.0.2.8', target: { id: null, name: 'ghost' } }])
  t.notMatch(JSON.stringify(found), payload.password)
})

void t.test('78. so is every event that concerns safety, with who, when and where', async (t) => {
  const id = await addUser('watched')
  const watched = await signIn('watched')
  const from = { remoteAddress: '192.0.2.9' }
  const token = await watched.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] }, from)
  await watched.delete(`/api/auth/me/tokens/${token.body.id}`, from)
  const { secret } = await addTotp(watched)
  const payload = { username: 'watched', password: PASSWORD }
  const first = await call(app, { method: 'POST', url: '/api/auth/login', payload, ...from })
  const second = (code: string) =>
    call(app, {
      method: 'POST',
      url: '/api/2fa/verify',
      headers: { authorization: `Bearer ${first.body.tempToken}` },
      payload: { method: 'totp', code },
      ...from,
    })
  t.equal((await second(wrong(codeOf(secret)))).status, 401)
  t.equal((await second(codeOf(secret))).status, 200)
  await watched.post('/api/2fa/recovery-codes', { password: PASSWORD }, from)
  await watched.delete('/api/2fa/totp', { ...from, payload: { password: PASSWORD } })
  const config = await watched.post('/api/provider-configs', { providerId: MANUAL, name: 'x' }, from)
  await watched.put(`/api/provider-configs/${config.body.id}`, { name: 'y' }, from)
  await watched.delete(`/api/provider-configs/${config.body.id}`, from)
  await admin.put(`/api/users/${id}`, { role: 'admin' })
  await watched.delete('/api/auth/me/sessions', from)
  await admin.delete(`/api/users/${id}/sessions`)

  const seen = [...(await entries('actor=watched&limit=100')), ...(await entries(`target=${id}&limit=100`))]
  const actions = new Set(seen.map(({ action }) => action))
  for (const action of [
    'auth.login',
    'auth.second_factor_required',
    'auth.second_factor_failed',
    'auth.sessions_ended',
    'provider_config.created',
    'provider_config.deleted',
    'provider_config.updated',
    'token.created',
    'token.revoked',
    'user.recovery_codes_renewed',
    'user.second_factor_disabled',
    'user.second_factor_enabled',
    'user.sessions_ended',
    'user.updated',
  ]) {
    t.ok(actions.has(action), action)
  }
  for (const entry of seen) {
    t.match(entry, { at: String, ip: /./, requestId: /./, actor: { id: String, name: /./ } }, entry.action)
  }
})

void t.test('newest first, with exact totals and no row twice', async (t) => {
  await addRows('paged', 25)
  const seen: string[] = []
  for (const page of [1, 2, 3]) {
    const { body } = await admin.get(`/api/audit?action=paged.*&limit=10&page=${page}`)
    t.match(body, { total: 25, page, limit: 10 })
    seen.push(...body.entries.map(({ target }: { target: { name: string } }) => target.name))
  }
  t.same(
    seen,
    Array.from({ length: 25 }, (_, i) => `row ${25 - i}`),
  )
  t.match((await admin.get('/api/audit?action=paged.*&page=9')).body, { total: 25, entries: { length: 0 } })
})

void t.test('filters', async (t) => {
  await addRows('filtered', 5, '2026-02-01T00:00:00Z')
  await addRows('filteredmore', 5, '2026-02-01T00:00:00Z')
  const total = async (query: string) => (await admin.get(`/api/audit?${query}`)).body.total as number
  t.equal(await total('action=filtered.*'), 5, 'the area, and not one whose name begins alike')
  t.equal(await total('action=filtered.made'), 5)
  t.equal(await total('action=filtered'), 0)
  t.equal(await total('target=filtered'), 5, 'by type')
  t.equal(await total('target=filtered&actor=maker'), 5)
  t.equal(await total('target=filtered&actor=MAKER'), 5)
  t.equal(await total('target=filtered&actor=root'), 0)
  t.equal(await total(`actor=${admin.userId}&target=filtered`), 0)
  const range = 'from=2026-02-01T00:00:02.000Z&to=2026-02-01T00:00:04.000Z'
  t.same(
    (await entries(`target=filtered&${range}`)).map(({ at }) => at.slice(17, 19)),
    ['03', '02'],
    'from belongs to it, to does not',
  )
  for (const wrong of ['action=*', "action=a'b", 'from=yesterday', 'limit=201', 'page=0']) {
    t.equal((await admin.get(`/api/audit?${wrong}`)).status, 400, wrong)
  }
})

void t.test('CSV: all rows over many chunks, with the filters of the list', async (t) => {
  await addRows('exported', 2_500, '2026-03-01T00:00:00Z')
  // Many in one millisecond: reading on must not skip any.
  await sql`
    insert into audit (id, at, actor_name, action, target_type)
    select gen_random_uuid(), '2026-03-02T00:00:00Z'::timestamptz + i * interval '1 microsecond', 'maker',
      'exported.fast', 'exported'
    from generate_series(1, 1500) i
  `.execute(db)
  const answer = await admin.get('/api/audit/export?action=exported.*')
  t.match(answer, {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
    },
  })
  const lines = (answer.body as string).split('\r\n')
  t.equal(
    lines[0],
    'id,at,actorId,actorName,ip,requestId,action,targetType,targetId,targetName,before,after,origin,tokenId,tokenName,tokenSuffix',
  )
  t.equal(lines.length, 1 + 4_000 + 1)
  t.equal(new Set(lines.slice(1, -1)).size, 4_000, 'none twice')
  t.match(lines[1], /,2026-03-02T00:00:00.001Z,,maker,/)
  t.match(lines[4_000], /,row 1,,,,,,$/)
})

void t.test('80. CSV: quotes, commas and lines are quoted, formulas are text', async (t) => {
  const actor = { ...SYSTEM, username: '=HYPERLINK("https://evil.example")' }
  for (const name of ['+1', '-1', '@SUM(A1)', '\tx', 'a,"b"\r\nc', 'plain']) {
    await recordAudit(db, actor, {
      action: 'user.updated',
      target: { type: 'csv', id: null, name },
      after: { a: 1 },
    })
  }
  const { body } = await admin.get('/api/audit/export?target=csv')
  for (const cell of [
    `"'=HYPERLINK(""https://evil.example"")"`,
    `,'+1,`,
    `,'-1,`,
    `,'@SUM(A1),`,
    `,'\tx,`,
    `,"a,""b""\r\nc",`,
    `,plain,,"{""a"":1}",schedule,,,\r\n`,
  ]) {
    t.ok((body as string).includes(cell), cell)
  }
})

void t.test('an export of nothing is the header alone', async (t) => {
  const { body } = await admin.get('/api/audit/export?action=nothing.here')
  t.match(body, /^id,at,[\w,]+\r\n$/)
})

void t.test('79. no secret of a user comes into the trail', async (t) => {
  await admin.post('/api/users', { username: 'secretive', password: 'first fine secret', role: 'member' })
  const user = await call(app, {
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'secretive', password: 'first fine secret' },
  })
  const { id } = user.body.user as { id: string }
  await admin.put(`/api/users/${id}`, { password: 'second fine secret' })
  const { body } = await admin.post('/api/invitations', { role: 'member' })
  const trail = (await admin.get('/api/audit/export')).body as string
  for (const secret of [
    'first fine secret',
    'second fine secret',
    PASSWORD,
    body.code,
    user.body.refreshToken,
  ]) {
    t.notOk(trail.includes(secret as string))
  }
  t.notMatch(trail, /argon2/)
})

void t.test('62. an administrator who was demoted reads it no more', async (t) => {
  const id = await addUser('shortlived', 'admin')
  const other = await signIn('shortlived')
  t.equal((await other.get('/api/audit')).status, 200)
  await admin.put(`/api/users/${id}`, { role: 'member' })
  t.equal((await other.get('/api/audit')).status, 403)
  t.equal((await other.get('/api/audit/export')).status, 403)
})
