import t from 'tap'
import { create, startReviewedZone } from '../change-requests/reviewed-zone.ts'
import { hear } from '../helpers/events.ts'
import { startApp } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

/* Who sees findings, what is announced, and that every domain has its turn. */

const zone = await startReviewedZone(t, 'none')
const { app, admin, olga, dora, rita, mallory, database, domainId } = zone
const heard = hear(app, 'domain.health_changed')
const url = `/api/domains/${domainId}/health`
const apply = async (...changes: object[]) => {
  const done = await olga.post(`/api/domains/${domainId}/records/apply`, { changes })
  if (done.status !== 200) throw new Error(JSON.stringify(done.body))
}
const places = ({ body }: { body: { findings: { code: string; name: string }[] } }) =>
  body.findings.map(({ code, name }) => `${code} ${name}`).sort()

void t.test('a zone that was not imported says so, instead of guessing', async (t) => {
  await database.db.updateTable('domains').set({ last_synced_at: null }).where('id', '=', domainId).execute()
  const { body } = await olga.post(`${url}/check`)
  t.match(body.notChecked[0], { reason: 'not_imported' })
  t.match(places({ body }), ['expiry.unknown @'])
  await database.db
    .updateTable('domains')
    .set({ last_synced_at: new Date() })
    .where('id', '=', domainId)
    .execute()
})

void t.test('each caller sees what concerns their names', async (t) => {
  await apply(create('x.dev', '10.0.0.1'), create('www', '10.0.0.2'))
  const whole = await olga.post(`${url}/check`)
  const all = ['address.private www', 'address.private x.dev', 'caa.none @', 'expiry.unknown @']
  t.same(places(whole), all)
  t.same(whole.body.counts, { error: 0, warning: 2, info: 2 })
  t.match(whole.body.findings[0], { severity: 'warning', type: 'A', params: { address: /^10/ } })
  t.same(places(await rita.get(url)), all, 'a reader of all')
  const part = await dora.get(url)
  t.same(places(part), ['address.private x.dev'], 'a delegate of *.dev')
  t.same(part.body.counts, { error: 0, warning: 1, info: 0 })
  t.equal((await mallory.get(url)).status, 404)
  t.equal((await mallory.post(`${url}/check`)).status, 404)

  const list = async (client: typeof olga, query: string) =>
    (await client.get(`/api/health-findings?${query}`)).body
  t.match(await list(dora, ''), { total: 1, findings: [{ name: 'x.dev', domainId }] })
  t.match(await list(mallory, ''), { total: 0, findings: { length: 0 } })
  t.equal((await mallory.get(`/api/health-findings?domainId=${domainId}`)).status, 404)
  t.match(await list(olga, 'severity=warning&limit=1&page=2'), { total: 2, findings: [{ name: 'x.dev' }] })
  t.match(await list(olga, 'code=caa.none'), { total: 1, counts: { error: 0, warning: 0, info: 1 } })
  t.equal((await olga.get('/api/health-findings?code=none.such')).status, 400)
})

void t.test('what is new and gone is announced once', async (t) => {
  await heard()
  await apply(create('y.dev', '10.0.0.3'))
  // Two people press the button at the same time.
  await Promise.all([olga.post(`${url}/check`), rita.post(`${url}/check`)])
  const [told, ...more] = await heard()
  t.same(more, [])
  t.match(told?.payload.metadata, {
    domainId,
    records: [{ code: 'address.private', name: 'y.dev', type: 'A', severity: 'warning', state: 'new' }],
    more: 0,
  })
  const { body } = await olga.get(`/api/domains/${domainId}/records?search=y.dev`)
  const [since] = (await olga.get(url)).body.findings.map((finding: { since: string }) => finding.since)
  await apply({ action: 'delete', recordId: body.records[0].id })
  const after = await olga.post(`${url}/check`)
  t.match((await heard())[0]?.payload.metadata, { records: [{ name: 'y.dev', state: 'gone' }] })
  t.equal(after.body.findings[0].since, since, 'what stays keeps its date')
  await olga.post(`${url}/check`)
  t.same(await heard(), [], 'nothing is said twice')
})

void t.test('delegates hear only of their names', async (t) => {
  await apply(create('z.dev', '10.0.0.4'), create('z', '10.0.0.5'))
  await olga.post(`${url}/check`)
  await heard()
  const inbox = async (client: typeof olga) => {
    const { body } = await client.get('/api/notifications')
    const found = body.notifications.find((one: { event: string }) => one.event === 'domain.health_changed')
    return found.metadata.records.map(({ name }: { name: string }) => name).sort()
  }
  t.same(await inbox(dora), ['z.dev'])
  t.same(await inbox(olga), ['z', 'z.dev'])
})

void t.test('only some findings of a code are kept, and the rest counted', async (t) => {
  const values = Array.from({ length: 60 }, (_, i) => create(`many${i}`, `10.1.0.${i}`))
  await apply(...values)
  const { body } = await olga.post(`${url}/check`)
  t.same(
    body.omitted.map(({ code }: { code: string }) => code),
    ['address.private'],
  )
  t.equal(body.counts.warning, 50)
  t.match((await dora.get(url)).body, { omitted: { length: 0 }, notChecked: { length: 0 } })
})

void t.test('several instances check every domain, and a large zone in pieces', async (t) => {
  const manual = await addManual(admin, 'nightly')
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, i) => addDomain(admin, manual, `nightly${i}.example`)),
  )
  const other = await startApp(t, { database, alone: false })
  await app.work.run('domain-health.enrol')
  const unchecked = () =>
    database.db.selectFrom('domain_health').select('domain_id').where('checked_at', 'is', null).execute()
  t.equal((await unchecked()).length, 20)
  t.equal((await other.admin.post('/api/health-findings/check')).status, 202)
  const soon = () =>
    database.db
      .selectFrom('domain_health')
      .select('domain_id')
      .where('due_at', '<', new Date(Date.now() + 3_600_000))
      .execute()
  await until('all are checked', async () => (await unchecked()).length + (await soon()).length === 0)
  t.match((await admin.get(`/api/domains/${added[7]?.id}/health`)).body, {
    checkedAt: /T/,
    findings: [{ code: 'caa.none' }, { code: 'expiry.unknown' }],
  })
  const due = await database.db.selectFrom('domain_health').select('due_at').execute()
  const hours = due.map(({ due_at: at }) => at.getUTCHours())
  t.ok(
    hours.every((hour) => hour < 6),
    'the next check is at night',
  )
  t.ok(new Set(due.map(({ due_at: at }) => at.getTime())).size > 15, 'spread over it')
})

void t.test('all domains on demand; the metrics count', async (t) => {
  t.match(await mallory.post('/api/health-findings/check'), { status: 202, body: { domains: 0 } })
  const { status, body } = await admin.post('/api/health-findings/check')
  t.equal(status, 202)
  t.equal(body.domains, 21)
  const text = await app.metrics.text()
  t.match(text, /zonekeeper_health_findings\{severity="warning"\} 5\d/)
  t.match(text, /zonekeeper_health_findings\{severity="error"\} 0/)
})
