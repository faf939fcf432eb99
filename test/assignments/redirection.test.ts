import t, { type Test } from 'tap'
import { PERMISSIONS } from '../../schemas/people/permission.ts'
import { call, startApp, type Answer } from '../helpers/app.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'
import { HOLDERS, label, TARGETS, valuesOf, type Holder, type Target } from './redirection-model.ts'

/**
 * NS, DNAME, DS, CDS, CDNSKEY and CSYNC on every path, by everybody who has a part of a domain. Who may not change one
 * must not come to it by any way: they would own all names below.
 */

interface Row {
  id: string
  name: string
  recordType: string
  value: string
  ttl: number
}

const { app, admin, addUser, signIn } = await startApp(t)
await addUser('owner')
const owner = await signIn('owner')
const config = await addManual(owner)

const labelOf = ({ name, recordType }: Row) => `${name} ${recordType}`
const line = ({ name, type }: Target, which: 0 | 1) => `${name} 300 IN ${type} ${written(type, which)}\n`
const written = (type: string, which: 0 | 1) =>
  ['NS', 'DNAME'].includes(type) ? `${valuesOf(type)[which]}.` : valuesOf(type)[which]

type Send = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object | string,
) => Promise<Answer>

const callWith =
  (token: string, root: string): Send =>
  (method, path, payload) =>
    call(app, {
      method,
      url: `${root}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof payload === 'string' && { 'content-type': 'text/dns' }),
      },
      ...(payload !== undefined && { payload }),
    })

async function prepare(holder: Holder, at: number) {
  const { id: domainId } = await addDomain(owner, config, `domain${at}.example`)
  const url = `/api/domains/${domainId}`
  const zonefile = TARGETS.map((target) => line(target, 0)).join('')
  const filled = await owner.post(`${url}/records/import`, { zonefile, mode: 'replace' })
  if (filled.status !== 200) throw new Error(JSON.stringify(filled.body))
  const all = async () => (await owner.get(`${url}/records?limit=200`)).body.records as Row[]
  const rows = new Map((await all()).map((row) => [labelOf(row), row]))
  let send: Send
  if (holder.given) {
    await addUser(`holder${at}`)
    const user = await signIn(`holder${at}`)
    for (const [subdomainPattern, what] of holder.given) {
      const isPlain = what === 'read' || what === 'write'
      const permission = isPlain ? what : 'write'
      const recordTypes = isPlain ? null : what.split(',')
      const terms = { userId: user.userId, domainId, subdomainPattern, permission, recordTypes }
      idOf(await owner.post('/api/assignments', terms))
    }
    send = callWith(user.accessToken, '/api')
  } else {
    const restrictions = { ...holder.restrictions, domainIds: [domainId] }
    const made = await owner.post('/api/auth/me/tokens', {
      name: 'x',
      permissions: PERMISSIONS,
      restrictions,
    })
    send = callWith(made.body.token as string, '/api/v1')
  }
  return {
    holder,
    /** One by one a part of them is tried, of each holder another one; in plans all of them. */
    some: TARGETS.filter((_, i) => (i + at) % 4 === 0),
    send,
    all,
    url: `/domains/${domainId}`,
    owned: url,
    state: async () =>
      JSON.stringify((await all()).map(({ name, recordType, value, ttl }) => [name, recordType, value, ttl])),
    idOf: (target: Target) => rows.get(label(target))?.id as string,
    sees: (target: Target) => holder.sees.includes(label(target)),
    may: (target: Target) => holder.may.includes(label(target)),
    mayWrite: holder.given?.some(([, what]) => what !== 'read') ?? true,
  }
}

type Case = Awaited<ReturnType<typeof prepare>>

/** The last NS at the apex stay whoever wants them gone. */
const isGuarded = ({ name, type }: Target) => name === '@' && type === 'NS'

async function checkSingle(t: Test, { send, url, may, sees, some, idOf: id, state }: Case) {
  for (const target of some) {
    const before = await state()
    const body = { recordType: target.type, name: target.name, value: valuesOf(target.type)[1] }
    const made = await send('POST', `${url}/records`, body)
    const changed = await send('PUT', `${url}/records/${id(target)}`, { value: body.value })
    const deleted = await send('DELETE', `${url}/records/${id(target)}`)
    if (may(target)) {
      // There is one DNAME at a name.
      t.equal(made.status, target.type === 'DNAME' ? 409 : 201, `create ${label(target)}`)
      continue
    }
    t.equal(made.status, 403, `create ${label(target)}`)
    t.equal(changed.status, sees(target) ? 403 : 404, `update ${label(target)}`)
    t.equal(deleted.status, sees(target) ? 403 : 404, `delete ${label(target)}`)
    t.equal(await state(), before)
  }
}

async function checkMany(t: Test, { send, url, may, sees, some, idOf: id, state }: Case) {
  const before = await state()
  const kindOf = (target: Target) => (may(target) ? null : sees(target) ? 'forbidden' : 'not_found')
  const wishes: [string, (target: Target) => object, (target: Target) => string | null][] = [
    ['update', (target) => ({ action: 'update', recordId: id(target), ttl: 900 }), kindOf],
    [
      'delete',
      (target) => ({ action: 'delete', recordId: id(target) }),
      (target) => kindOf(target) ?? (isGuarded(target) ? 'conflict' : null),
    ],
    [
      'create',
      ({ name, type }) => ({ action: 'create', name, recordType: type, value: valuesOf(type)[1] }),
      (target) => (!may(target) ? 'forbidden' : target.type === 'DNAME' ? 'conflict' : null),
    ],
  ]
  for (const [what, wish, kind] of wishes) {
    const plan = await send('POST', `${url}/records/plan`, { changes: TARGETS.map(wish) })
    const conflicts = plan.body.conflicts as { index: number; kind: string }[]
    t.same(
      TARGETS.map((_, index) => conflicts.find((conflict) => conflict.index === index)?.kind ?? null),
      TARGETS.map(kind),
      `plan to ${what}`,
    )
    for (const target of some.filter((one) => !may(one))) {
      const body = { changes: [wish(target)] }
      const applied = await send('POST', `${url}/records/apply`, body)
      t.ok([403, 404, 409].includes(applied.status), `apply: ${what} ${label(target)}`)
      const kept = await send('POST', `${url}/records/plan`, { ...body, keep: true })
      t.equal(kept.body.planId, null, 'no such plan is kept')
    }
  }
  const free = TARGETS.filter((target) => !may(target))
  const records = free.map(({ name, type }) => ({ name, recordType: type, value: valuesOf(type)[1] }))
  const bulk = await send('POST', `${url}/records/bulk`, { records })
  if (records.length > 0) t.equal(bulk.body.succeeded ?? 0, 0, 'bulk')
  t.equal(await state(), before, 'all is as it was')
}

async function checkFiles(t: Test, { send, url, may, sees, some, state }: Case) {
  const before = await state()
  const zonefile = TARGETS.map((target) => line(target, 1)).join('')
  for (const mode of ['merge', 'replace']) {
    const dry = await send('POST', `${url}/records/import`, { zonefile, mode, dryRun: true })
    const touched = ['creates', 'updates', 'deletes'].flatMap((kind) =>
      (dry.body.plan[kind] as { before: Row | null; after: Row | null }[]).map(({ before, after }) =>
        labelOf((after ?? before) as Row),
      ),
    )
    const wrong = touched.filter((found) => !TARGETS.some((target) => label(target) === found && may(target)))
    t.same(wrong, [], `${mode} touches nothing else`)
    for (const target of some.filter((one) => !may(one))) {
      const refused = await send('POST', `${url}/records/import`, { zonefile: line(target, 1), mode })
      t.equal(refused.status, 403, `${mode} of ${label(target)}`)
    }
  }
  if (TARGETS.some((target) => sees(target) && !may(target))) {
    const put = await send('PUT', `${url}/zone?apply=true`, zonefile)
    t.equal(put.status, 403, 'the zone as a whole')
  }
  t.equal(await state(), before, 'all is as it was')
}

/** The owner changes everything; who may not do that may not take it back either. */
async function checkHistory(t: Test, { send, url, owned, may, sees, all, state }: Case) {
  const then = new Date().toISOString()
  const changes = (await all()).map(({ id }) => ({ action: 'update', recordId: id, ttl: 1234 }))
  const { changeId } = (await owner.post(`${owned}/records/apply`, { changes })).body as { changeId: string }
  const before = await state()
  const seen = TARGETS.filter(sees)
  const isAllowed = seen.every(may)
  if (!isAllowed) {
    t.equal((await send('POST', `${url}/changes/${changeId}/revert`)).status, 403, 'revert')
    t.equal(await state(), before)
  }
  const plan = await send('POST', `${url}/restore`, { at: then })
  const told = (plan.body.updates as { after: Row }[]).map(({ after }) => labelOf(after)).toSorted()
  const conflicts = plan.body.conflicts as unknown[]
  t.same(told, TARGETS.filter(may).map(label).toSorted(), 'restore')
  t.equal(conflicts.length > 0, !isAllowed)
}

/** Deletes all that is theirs by a file of nothing: what is left is what they may not touch. */
async function checkEmptied(t: Test, { send, url, may, all, mayWrite }: Case) {
  const kept = await send('POST', `${url}/records/import`, { zonefile: '', mode: 'replace', keep: true })
  if (!mayWrite) return t.equal(kept.status, 403)
  const planId = kept.body.plan?.planId as string | null
  if (planId !== null) t.equal((await send('POST', `${url}/records/apply`, { planId })).status, 200)
  const left = new Set((await all()).map(labelOf))
  t.same(
    TARGETS.filter((target) => !left.has(label(target))),
    TARGETS.filter((target) => may(target) && !isGuarded(target)),
  )
}

for (const [at, holder] of HOLDERS.entries()) {
  void t.test(`24. ${holder.title}`, async (t) => {
    const given = await prepare(holder, at)
    await t.test('many at once', (t) => checkMany(t, given))
    await t.test('zone files', (t) => checkFiles(t, given))
    await t.test('revert and restore', (t) => checkHistory(t, given))
    await t.test('a file of nothing', (t) => checkEmptied(t, given))
    const fresh = await prepare(holder, 100 + at)
    await t.test('one at a time', (t) => checkSingle(t, fresh))
  })
}

void t.test('a record does not become one of these types, nor move to such a name', async (t) => {
  const { send, url, owned, state } = await prepare(HOLDERS[0] as Holder, 50)
  const { body } = await owner.post(`${owned}/records`, { recordType: 'A', name: 'app', value: '192.0.2.1' })
  const before = await state()
  const change = { recordType: 'NS', value: 'ns9.example.net' }
  t.match(await send('PUT', `${url}/records/${body.id}`, change), { status: 403 })
  t.equal(await state(), before)
})

void t.test('a plan that was kept needs the right when it is applied', async (t) => {
  const holder = HOLDERS.find(({ title }) => title === 'a name and everything below it') as Holder
  const { send, url, state } = await prepare(holder, 51)
  const changes = [{ action: 'create', name: 'app', recordType: 'NS', value: 'ns9.example.net' }]
  const kept = await send('POST', `${url}/records/plan`, { changes, keep: true })
  t.type(kept.body.planId, 'string')
  const { assignments } = (await admin.get('/api/assignments?limit=200')).body as {
    assignments: { id: string; subdomainPattern: string; domainName: string }[]
  }
  const below = assignments.find(
    (one) => one.domainName === 'domain51.example' && one.subdomainPattern === '*.app',
  )
  t.match(await owner.delete(`/api/assignments/${below?.id}`), { status: 204 })
  const before = await state()
  const applied = await send('POST', `${url}/records/apply`, { planId: kept.body.planId })
  t.ok([403, 409].includes(applied.status))
  t.equal(await state(), before)
})

void t.test('templates and external-dns', async (t) => {
  for (const [at, may] of [
    [0, false],
    [5, true],
  ] as const) {
    const { send, url, owned, state, idOf } = await prepare(HOLDERS[at] as Holder, 60 + at)
    // It hides all names, which external-dns is refused for anybody.
    await owner.delete(`${owned}/records/${idOf({ name: '@', type: 'DNAME' })}`)
    const [domainId = '', host] = [url.split('/').at(-1), `domain${60 + at}.example`]
    const before = await state()
    const records = [{ recordType: 'NS', name: 'app', value: 'ns8.example.net' }]
    const template = await send('POST', '/templates', { name: `redirection ${at}`, records })
    const planned = await send('POST', `/templates/${template.body.id}/plan`, { domainIds: [domainId] })
    t.match(planned.body, { totals: { changedDomains: may ? 1 : 0, blocked: may ? 0 : 1 } })

    const made = await send('POST', '/auth/me/tokens', { name: 'cluster', permissions: ['records:write'] })
    const webhook = (changes: object) =>
      call(app, {
        method: 'POST',
        url: '/api/v1/external-dns/records',
        headers: {
          authorization: `Bearer ${made.body.token}`,
          'content-type': 'application/external.dns.webhook+json;version=1',
        },
        payload: JSON.stringify(changes),
      })
    const endpoint = (...targets: string[]) => ({ dnsName: `app.${host}`, recordType: 'NS', targets })
    const [old, other] = valuesOf('NS')
    t.equal((await webhook({ create: [endpoint(other)] })).status, may ? 204 : 500)
    const update = { updateOld: [endpoint(old)], updateNew: [endpoint('ns7.example.net')] }
    t.equal((await webhook(update)).status, may ? 204 : 500)
    if (!may) t.equal((await webhook({ delete: [endpoint(old)] })).status, 500)
    t.equal((await state()) === before, !may)
    t.equal((await owner.get(owned)).status, 200)
  }
})
