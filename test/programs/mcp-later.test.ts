import t from 'tap'
import { until } from '../helpers/until.ts'
import { startZone } from '../helpers/zone.ts'
import { connectAssistant, listenForAssistants } from './assistant.ts'

/* Assistants schedule, cancel and confirm changes, as far as their token may. */
const zone = await startZone(t)
const { app, admin, there } = zone
const url = await listenForAssistants(app)
const domain = 'example.com'
const WRITES = ['domains:read', 'records:read', 'records:write']

async function connect(permissions: string[]) {
  const { body } = await admin.post('/api/auth/me/tokens', { name: 'assistant', permissions })
  return (await connectAssistant(t, url, body.token)).call
}

const [writer, decider] = await Promise.all([connect(WRITES), connect([...WRITES, 'changes:apply'])])

async function plan(name: string): Promise<string> {
  const changes = [{ action: 'create', type: 'A', name, value: '192.0.2.1', ttl: 300 }]
  return (await writer('plan_changes', { domain, changes })).data.planId as string
}

void t.test('a plan is scheduled, listed and cancelled', async (t) => {
  const applyAt = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled = await writer('apply_plan', { domain, planId: await plan('later'), applyAt })
  t.match(scheduled, {
    isError: false,
    text: /^Scheduled in example\.com/,
    data: { scheduled: true, applyAt },
  })
  const { changeId } = scheduled.data
  const listed = await writer('list_waiting_changes', { domain, status: 'scheduled' })
  t.match(listed, {
    text: /is applied at .*\n.*later/,
    data: { total: 1, changes: [{ id: changeId, applyAt }] },
  })
  t.match(await writer('cancel_change', { domain, changeId }), { isError: true, text: /changes:apply/ })
  t.match(await decider('cancel_change', { domain, changeId }), { data: { status: 'cancelled' } })
  t.match(await decider('cancel_change', { domain, changeId }), { isError: true })
  t.same(there('later', 'A'), [])
})

void t.test('a scheduled change is applied before its time', async (t) => {
  const applyAt = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled = await writer('apply_plan', { domain, planId: await plan('early'), applyAt })
  const { changeId } = scheduled.data
  const now = { domain, changeId }
  t.match(await writer('apply_scheduled_change', now), { isError: true, text: /changes:apply/ })
  t.match(await decider('apply_scheduled_change', now), { data: { status: 'applied' } })
  t.same(there('early', 'A'), ['192.0.2.1'])
})

void t.test('an applied plan is confirmed', async (t) => {
  const applied = await writer('apply_plan', { domain, planId: await plan('kept'), confirmWithin: 5 })
  t.match(applied, { text: /reverted at \S+ unless it is confirmed/, data: { confirmBy: String } })
  const { changeId } = applied.data
  t.match((await writer('list_waiting_changes', { domain, status: 'unconfirmed' })).data, {
    changes: [{ id: changeId, confirmation: 'unconfirmed', confirmBy: String }],
  })
  t.match(await writer('confirm_change', { domain, changeId }), { isError: true, text: /changes:apply/ })
  t.match(await decider('confirm_change', { domain, changeId }), { data: { confirmation: 'confirmed' } })
  t.same(there('kept', 'A'), ['192.0.2.1'])
})

void t.test('a plan is applied by its id alone, with the token that made it and no other', async (t) => {
  const planId = await plan('alone')
  const [stranger, elsewhere] = await Promise.all([
    connect(WRITES),
    admin.get(`/api/v1/records/kept-plans/${planId}`),
  ])
  t.match(await stranger('apply_plan', { planId }), { isError: true, text: /not_found/ })
  t.match(elsewhere, { status: 404 })
  t.match(await writer('apply_plan', { planId, domain: 'other.example' }), { isError: true })
  t.same(there('alone', 'A'), [])
  t.match(await writer('apply_plan', { planId }), { isError: false, data: { domain } })
  t.same(there('alone', 'A'), ['192.0.2.1'])
  t.match(await writer('apply_plan', { planId }), { isError: true, text: /conflict/ })
})

void t.test('a whole operation is confirmed, by who may', async (t) => {
  await zone.add('A', 'whole', '192.0.2.7')
  const planned = await admin.post('/api/records/replace', {
    find: { value: '192.0.2.7' },
    replaceWith: { value: '192.0.2.8' },
  })
  const started = await admin.post('/api/records/replace/apply', {
    planId: planned.body.planId,
    confirmWithin: 5,
  })
  t.equal(started.status, 202)
  const operationId = started.body.operation.id
  await until(
    'the operation ended',
    async () => (await admin.get(`/api/operations/${operationId}`)).body.outcome !== null,
  )
  t.match(await writer('confirm_operation', { operationId }), { isError: true, text: /changes:apply/ })
  t.match(await decider('confirm_operation', { operationId }), {
    isError: false,
    text: /^1 changes confirmed/,
    data: { confirmed: 1, leftCount: 0, hidden: 0 },
  })
  t.same(there('whole', 'A'), ['192.0.2.8'])
})
