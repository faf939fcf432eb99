import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { hear } from '../../helpers/events.ts'
import { until } from '../../helpers/until.ts'
import { create } from '../../change-requests/reviewed-zone.ts'
import { startLaterZone } from './later-zone.ts'

const zone = await startLaterZone(t, { largeChange: 20 })
const { app, admin, olga, wanda, dora, rita, mallory, fake, url, domainId, changes, there, writes } = zone
const { change, passes, ends, inMinutes, comes, becomes, database } = zone
const heard = hear(app, 'change.unconfirmed', 'change.reverted', 'change.not_reverted', 'change.applied')
const names = async () => (await heard()).map(({ name }) => name)

const apply = async (wanted: object[], confirmWithin = 10, client = olga): Promise<string> => {
  const answer = await client.post(`${url}/apply`, { changes: wanted, confirmWithin })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.changeId
}
const confirm = (id: string, client = olga) => client.post(`${changes}/${id}/confirm`)
const near = (time: string, minutes: number) =>
  Math.abs(Date.parse(time) - Date.now() - minutes * 60_000) < 30_000

void t.test('confirmed in time, it stays', async (t) => {
  const answer = await olga.post(`${url}/apply`, { changes: [create('kept')], confirmWithin: 10 })
  t.match(answer, { status: 200, body: { applied: true, changeId: String, confirmBy: String } })
  t.ok(near(answer.body.confirmBy, 10))
  const { changeId: id } = answer.body
  const { body } = await olga.get(`${changes}?status=unconfirmed`)
  t.match(body, {
    total: 1,
    changes: [
      { id, confirmWithin: 10, confirmation: { status: 'unconfirmed', confirmBy: answer.body.confirmBy } },
    ],
  })
  t.match(await confirm(id, rita), { status: 403 })
  t.match(await confirm(id, dora), { status: 404 })
  t.match(await confirm(id, mallory), { status: 404 })
  t.match(await confirm(id, wanda), {
    status: 200,
    body: { id, confirmation: { status: 'confirmed', confirmedBy: 'wanda', endedAt: String } },
  })
  t.match(await confirm(id), { status: 409, body: { reason: 'not_unconfirmed' } })
  await passes(id, { end: true })
  t.same(there('kept', 'A'), ['192.0.2.1'])
  t.equal((await olga.get(`${changes}?status=unconfirmed`)).body.total, 0)
  t.equal((await admin.get('/api/audit?action=change.confirmed')).body.total, 1)
})

void t.test('at half the time it warns once, at the end it reverts as a change of its own', async (t) => {
  const { id: old } = await zone.add('A', 'old', '192.0.2.1')
  const { id: gone } = await zone.add('A', 'gone', '192.0.2.1')
  await heard()
  const id = await apply([
    create('new'),
    { action: 'update', recordId: old, value: '192.0.2.2' },
    { action: 'delete', recordId: gone },
  ])
  await passes(id)
  await until('the warning', async () => {
    const row = await database.db
      .selectFrom('confirmations')
      .select('warned')
      .where('change_id', '=', id)
      .executeTakeFirst()
    return row?.warned
  })
  t.match(await heard(), [
    {
      name: 'change.unconfirmed',
      payload: { metadata: { changeId: id, author: 'olga', confirmBy: String } },
    },
  ])
  t.same(there('new', 'A'), ['192.0.2.1'])
  await passes(id, { end: true })
  await ends(id, 'reverted')
  t.same([there('new', 'A'), there('old', 'A'), there('gone', 'A')], [[], ['192.0.2.1'], ['192.0.2.1']])
  const { confirmation } = await change(id)
  t.match(confirmation, { revertChangeId: String, leftAlone: { length: 0 }, confirmedBy: null })
  t.match(await change(confirmation.revertChangeId), {
    revertOf: id,
    source: 'revert',
    origin: 'schedule',
    status: 'applied',
    actor: { id: null, name: 'system' },
  })
  t.match(await heard(), [{ name: 'change.reverted', payload: { metadata: { changeId: id } } }])
  t.match(await confirm(id), {
    status: 409,
    body: { reason: 'not_unconfirmed', params: { status: 'reverted' } },
  })
  t.equal((await admin.get('/api/audit?action=change.reverted')).body.total, 1)
})

void t.test('what others changed since is left alone and named', async (t) => {
  const first = await zone.add('A', 'first', '192.0.2.1')
  const second = await zone.add('A', 'second', '192.0.2.1')
  const id = await apply([
    { action: 'update', recordId: first.id, value: '192.0.2.2' },
    { action: 'update', recordId: second.id, value: '192.0.2.2' },
  ])
  t.equal((await wanda.put(`${url}/${second.id}`, { value: '192.0.2.9' })).status, 200)
  await wanda.post(url, { recordType: 'A', name: 'first', value: '192.0.2.3', ttl: 300 })
  await heard()
  await passes(id, { end: true })
  await ends(id, 'reverted')
  t.same([there('first', 'A'), there('second', 'A')], [['192.0.2.1', '192.0.2.3'], ['192.0.2.9']])
  const leftAlone = [{ name: 'second', recordType: 'A', value: '192.0.2.2' }]
  t.match((await change(id)).confirmation, { leftAlone })
  t.match(await heard(), [
    { name: 'change.reverted', payload: { metadata: { left: [{ name: 'second', recordType: 'A' }] } } },
  ])
  const only = await zone.add('A', 'only', '192.0.2.1')
  const all = await apply([{ action: 'update', recordId: only.id, value: '192.0.2.2' }])
  t.equal((await wanda.put(`${url}/${only.id}`, { value: '192.0.2.9' })).status, 200)
  await passes(all, { end: true })
  await ends(all, 'not_reverted')
  t.same(there('only', 'A'), ['192.0.2.9'])
  t.same(await names(), ['change.not_reverted'])
})

void t.test('a delegate of a part learns of what they see only', async (t) => {
  const seen = await zone.add('A', 'a.dev', '192.0.2.1')
  const hidden = await zone.add('A', 'secret', '192.0.2.1')
  const id = await apply([
    { action: 'update', recordId: seen.id, value: '192.0.2.2' },
    { action: 'update', recordId: hidden.id, value: '192.0.2.2' },
  ])
  await olga.put(`${url}/${hidden.id}`, { value: '192.0.2.9' })
  await olga.put(`${url}/${seen.id}`, { value: '192.0.2.9' })
  await passes(id, { end: true })
  await ends(id, 'not_reverted')
  const { body } = await dora.get(`${changes}/${id}`)
  t.match(body.confirmation.leftAlone, [{ name: 'a.dev' }])
  t.equal(body.confirmation.leftAlone.length, 1)
})

void t.test('a revert by a user ends the wait, also of a plan that was kept', async (t) => {
  const direct = await apply([create('direct')])
  t.match(await olga.post(`${changes}/${direct}/revert`), { status: 200, body: { applied: true } })
  t.match((await change(direct)).confirmation, { status: 'reverted', revertChangeId: String })
  const kept = await apply([create('by-plan')])
  const { body } = await olga.post(`${changes}/${kept}/revert?keep=true`)
  t.match((await change(kept)).confirmation, { status: 'unconfirmed' })
  t.equal((await olga.post(`${url}/apply`, { planId: body.planId })).status, 200)
  await heard()
  await app.work.run('changes.settle')
  await ends(kept, 'reverted')
  t.same([there('direct', 'A'), there('by-plan', 'A')], [[], []])
  t.same(await names(), [], 'nobody is told what they did')
})

void t.test('a delegate who reverts their part leaves the rest unconfirmed', async (t) => {
  const id = await apply([create('part.dev'), create('part')])
  t.equal((await dora.post(`${changes}/${id}/revert`)).status, 200)
  await ends(id, 'unconfirmed')
  t.same([there('part.dev', 'A'), there('part', 'A')], [[], ['192.0.2.1']])
  await passes(id, { end: true })
  await ends(id, 'reverted')
  t.same(there('part', 'A'), [])
})

void t.test('the author may have lost their permission by then', async (t) => {
  const id = await apply([create('by-wanda')], 10, wanda)
  await admin.put(`/api/users/${wanda.userId}`, { disabled: true })
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'everyone' })
  await passes(id, { end: true })
  await ends(id, 'reverted')
  t.same(there('by-wanda', 'A'), [])
  await admin.put(`/api/users/${wanda.userId}`, { disabled: false })
  await admin.put(`/api/domains/${domainId}`, { reviewPolicy: 'none' })
})

void t.test('where verification is required, only a verified change can be confirmed', async (t) => {
  await admin.put(`/api/domains/${domainId}`, { verify: 'require' })
  const status = (id: string, to: 'waiting' | 'verified') =>
    database.db
      .updateTable('verifications')
      .set({ status: to, due_at: null })
      .where('change_id', '=', id)
      .execute()
  const [id, other] = [await apply([create('verified')]), await apply([create('unverified')])]
  for (const one of [id, other]) {
    await status(one, 'waiting')
    t.match(await confirm(one), {
      status: 409,
      body: { reason: 'not_verified', params: { status: 'waiting' } },
    })
  }
  await status(id, 'verified')
  t.match(await confirm(id), { status: 200 })
  await passes(other, { end: true })
  await ends(other, 'reverted')
  t.same([there('verified', 'A'), there('unverified', 'A')], [['192.0.2.1'], []])
  await admin.put(`/api/domains/${domainId}`, { verify: 'warn' })
})

void t.test('while the provider is down the revert is tried again, and can still be confirmed', async (t) => {
  await heard()
  const [id, other, late] = [
    await apply([create('down')]),
    await apply([create('saved')]),
    await apply([create('late')]),
  ]
  fake.fail({ kind: 'reset', applied: false, times: Infinity })
  for (const one of [id, other]) await passes(one, { end: true })
  const triesOf = async (one: string) =>
    (
      await database.db
        .selectFrom('confirmations')
        .select('tries')
        .where('change_id', '=', one)
        .executeTakeFirstOrThrow()
    ).tries
  for (const one of [id, other]) await until('it was tried', async () => (await triesOf(one)) > 0)
  t.match(await confirm(other), { status: 200 })
  await passes(late, { end: true, minutes: 24 * 60 + 1 })
  await ends(late, 'not_reverted')
  fake.heal()
  await passes(id, { end: true })
  await ends(id, 'reverted')
  t.same([there('down', 'A'), there('saved', 'A'), there('late', 'A')], [[], ['192.0.2.1'], ['192.0.2.1']])
  t.same(await names(), ['change.not_reverted', 'change.reverted'])
})

void t.test('a revert that the provider refuses is tried again', async (t) => {
  const id = await apply([create('refused')])
  const answer = { status: 422, body: JSON.stringify({ error: 'no' }) }
  fake.fail({ on: 'write', kind: 'answer', answer })
  await passes(id, { end: true })
  await until('the revert has failed', async () => {
    const { body } = await olga.get(`${changes}?status=failed`)
    return body.changes.some(({ source }: { source: string }) => source === 'revert')
  })
  await ends(id, 'unconfirmed')
  t.same(there('refused', 'A'), ['192.0.2.1'])
  await passes(id, { end: true })
  await ends(id, 'reverted')
  t.same(there('refused', 'A'), [])
})

void t.test('a change that comes to nothing needs no confirmation', async (t) => {
  const answer = { status: 422, body: JSON.stringify({ error: 'no' }) }
  fake.fail({ on: 'write', kind: 'answer', answer })
  const failed = await olga.post(`${url}/apply`, { changes: [create('nothing')], confirmWithin: 5 })
  t.equal(failed.status, 502)
  t.match(await confirm(failed.body.changeId), { status: 409, body: { params: { status: 'none' } } })
})

void t.test('a confirmation and the revert race: exactly one wins', async (t) => {
  await startApp(t, { database, alone: false })
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await apply([create(`race-${n}`)]))
  const answers = await Promise.all(
    ids.map(async (id) => {
      const [, answer] = await Promise.all([passes(id, { end: true }), confirm(id)])
      return answer.status
    }),
  )
  for (const [n, id] of ids.entries()) {
    await ends(id, answers[n] === 200 ? 'confirmed' : 'reverted')
    t.equal(there(`race-${n}`, 'A').length, answers[n] === 200 ? 1 : 0, `race-${n}`)
  }
  const before = writes()
  const both: string[] = []
  for (let n = 0; n < 8; n++) both.push(await apply([create(`both-${n}`)]))
  await Promise.all(both.map((id) => passes(id, { end: true })))
  for (const id of both) await ends(id, 'reverted')
  t.equal(writes() - before, 16, 'each is reverted once')
})

void t.test('a scheduled change, a large one and an operation must be confirmed as well', async (t) => {
  const later = { changes: [create('both')], applyAt: inMinutes(5), confirmWithin: 5 }
  const { body } = await olga.post(`${url}/apply`, later)
  t.match(body, { scheduled: true, confirmWithin: 5 })
  await comes(body.changeId)
  await becomes(body.changeId, 'applied')
  await ends(body.changeId, 'unconfirmed')
  t.ok(near((await change(body.changeId)).confirmation.confirmBy, 5))
  const lines = Array.from({ length: 25 }, (_, n) => `many-${n} 300 IN A 192.0.2.1`)
  const begun = await olga.post(`${url}/import`, { zonefile: `${lines.join('\n')}\n`, confirmWithin: 5 })
  t.equal(begun.status, 202)
  const operation = `/api/operations/${begun.body.operation.id}`
  await until('it ends', async () => (await olga.get(operation)).body.outcome === 'succeeded')
  const [last] = (await olga.get(`${changes}?limit=1`)).body.changes
  await app.work.run('changes.settle')
  await ends(last.id, 'unconfirmed')
  await passes(last.id, { end: true })
  await ends(last.id, 'reverted')
  t.same(there('many-7', 'A'), [])
})

void t.test('an operation is confirmed or reverted in all of its domains at once', async (t) => {
  fake.createZone('second.test')
  const { body: first } = await admin.get(`/api/domains/${domainId}`)
  const second = await admin.post('/api/domains', {
    name: 'second.test',
    providerConfigId: first.providerConfigId,
  })
  t.equal(second.status, 201, JSON.stringify(second.body))
  const domains = [domainId, second.body.id as string]
  const begin = async (from: string, to: string) => {
    const planned = await admin.post('/api/records/replace', {
      find: { value: from },
      replaceWith: { value: to },
    })
    const body = { planId: planned.body.planId, confirmWithin: 5 }
    const begun = await admin.post('/api/records/replace/apply', body)
    t.equal(begun.status, 202, JSON.stringify(begun.body))
    const operation = `/api/operations/${begun.body.operation.id}`
    await until('it ends', async () => (await admin.get(operation)).body.outcome === 'succeeded')
    return operation
  }
  const states = () =>
    Promise.all(
      domains.map(
        async (id) =>
          (await admin.get(`/api/domains/${id}/changes?limit=1`)).body.changes[0].confirmation?.status,
      ),
    )
  const values = () =>
    Promise.all(
      domains.map(
        async (id) => (await admin.get(`/api/domains/${id}/records?search=moved`)).body.records[0].value,
      ),
    )
  for (const id of domains) {
    const added = await admin.post(`/api/domains/${id}/records`, {
      recordType: 'A',
      name: 'moved',
      value: '192.0.2.66',
    })
    t.equal(added.status, 201, JSON.stringify(added.body))
  }

  const kept = await begin('192.0.2.66', '192.0.2.67')
  t.match(await mallory.post(`${kept}/confirm`), { status: 404 })
  t.match(await admin.post(`${kept}/confirm`), {
    status: 200,
    body: { confirmed: 2, left: { length: 0 }, hidden: 0 },
  })
  t.same(await states(), ['confirmed', 'confirmed'])
  t.match(await admin.post(`${kept}/confirm`), { status: 200, body: { confirmed: 0, leftCount: 0 } })
  t.same(await values(), ['192.0.2.67', '192.0.2.67'])

  const back = await begin('192.0.2.67', '192.0.2.68')
  const ids = await Promise.all(
    domains.map(
      async (id) => (await admin.get(`/api/domains/${id}/changes?limit=1`)).body.changes[0].id as string,
    ),
  )
  const reverted = await admin.post(`${back}/revert`, {})
  t.equal(reverted.status, 202, JSON.stringify(reverted.body))
  const revert = `/api/operations/${reverted.body.operation.id}`
  await until('it is reverted', async () => (await admin.get(revert)).body.outcome === 'succeeded')
  t.same(await values(), ['192.0.2.67', '192.0.2.67'])
  for (const [at, id] of domains.entries()) {
    const { body } = await admin.get(`/api/domains/${id}/changes/${ids[at]}`)
    t.match(body.confirmation, { status: 'reverted', revertChangeId: String })
  }
  t.match(await admin.post(`${back}/confirm`), { status: 200, body: { confirmed: 0 } })
  t.match(await admin.post(`${revert}/confirm`), { status: 409, body: { reason: 'not_unconfirmed' } })

  const part = await begin('192.0.2.67', '192.0.2.69')
  await admin.put(`/api/domains/${domains[1]}`, { verify: 'require' })
  t.match(await admin.post(`${part}/confirm`), {
    status: 200,
    body: { confirmed: 1, leftCount: 1, left: [{ domainId: domains[1], code: 'not_verified' }] },
  })
})

void t.test('a clock that was ahead does not prolong the time', async (t) => {
  const id = await apply([create('clock')], 1)
  await database.db
    .updateTable('confirmations')
    .set({ confirm_by: new Date(Date.now() + 86_400_000), due_at: new Date(Date.now() + 86_400_000) })
    .where('change_id', '=', id)
    .execute()
  await until('it is bounded', async () => {
    const { confirmation } = await change(id)
    return Date.parse(confirmation.confirmBy) < Date.now() + 62_000
  })
  t.match(await confirm(id), { status: 200 })
})
