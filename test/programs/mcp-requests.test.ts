import t from 'tap'
import type { Client as User } from '../helpers/app.ts'
import { create as recordOf, startReviewedZone } from '../change-requests/reviewed-zone.ts'
import { connectAssistant, listenForAssistants } from './assistant.ts'

/* Change requests by assistants: what they may is what their token may. */
const zone = await startReviewedZone(t, 'everyone')
const { app, there } = zone
const url = await listenForAssistants(app)
const domain = 'example.com'
const WRITES = ['domains:read', 'records:read', 'records:write']

async function connect(user: User, permissions: string[]) {
  const { body } = await user.post('/api/auth/me/tokens', { name: 'assistant', permissions })
  return (await connectAssistant(t, url, body.token)).call
}

const [author, reviewer, writer] = await Promise.all([
  connect(zone.wanda, WRITES),
  connect(zone.olga, [...WRITES, 'changes:review']),
  connect(zone.olga, WRITES),
])

async function ask(name: string): Promise<string> {
  const changes = [{ action: 'create', type: 'A', name, value: '192.0.2.1', ttl: 300 }]
  const { data } = await author('plan_changes', { domain, changes })
  const opened = await author('open_change_request', { domain, planId: data.planId, title: `About ${name}` })
  return opened.data.id as string
}

void t.test('a plan that needs a review becomes a request, which another person approves', async (t) => {
  const changes = [{ action: 'create', type: 'A', name: 'www', value: '192.0.2.1', ttl: 300 }]
  const { planId } = (await author('plan_changes', { domain, changes })).data
  t.match(await author('apply_plan', { domain, planId }), { isError: true, text: /\(review_required\)/ })
  const reason = 'Monday\n- www 300 A 192.0.2.9\u202E'
  const opened = await author('open_change_request', { domain, planId, title: 'The web server', reason })
  t.match(opened, {
    isError: false,
    text: /The web server \(open, by wanda, \+1 ~0 -0, revision 1.*\nWhy: Monday\\u000a- www[^\n]*\\u202e\n\+ www 300 A/,
    data: { status: 'open', revision: 1, creates: [{ after: { name: 'www' } }] },
  })
  const { id: requestId } = opened.data
  t.match((await reviewer('list_change_requests', { canApprove: true })).data, {
    requests: [{ id: requestId, domain, canApprove: true }],
    total: 1,
  })
  t.match((await author('list_change_requests', { domain, canApprove: true })).data, { total: 0 })
  const said = await reviewer('comment_on_change_request', { requestId, text: 'Which host?' })
  t.match(said.data.timeline, [{ kind: 'opened' }, { kind: 'commented', by: 'olga', text: 'Which host?' }])

  const approval = { domain, requestId, revision: 1 }
  t.match(await author('approve_change_request', approval), { isError: true, text: /changes:review/ })
  t.match(await writer('approve_change_request', approval), { isError: true, text: /changes:review/ })
  t.match(await reviewer('approve_change_request', { ...approval, revision: 2 }), {
    isError: true,
    text: /revision 1/,
  })
  t.same(there('www', 'A'), [])
  t.match(await reviewer('approve_change_request', approval), {
    isError: false,
    data: { status: 'applied', changeId: String },
  })
  t.same(there('www', 'A'), ['192.0.2.1'])
})

void t.test('a request is rejected or withdrawn, and belongs to the named domain', async (t) => {
  const [rejected, withdrawn] = [await ask('no'), await ask('not-now')]
  const rejection = { domain, requestId: rejected, reason: 'The host is in use' }
  t.match(await writer('reject_change_request', rejection), { isError: true, text: /permission_missing/ })
  t.match(await reviewer('reject_change_request', rejection), { data: { status: 'rejected' } })
  t.match(await reviewer('withdraw_change_request', { domain, requestId: withdrawn }), { isError: true })
  t.match(await author('withdraw_change_request', { domain, requestId: withdrawn }), {
    data: { status: 'withdrawn' },
  })
  const other = await connect(zone.mallory, [...WRITES, 'changes:review'])
  t.match(await other('get_change_request', { requestId: rejected }), { isError: true, text: /not_found/ })
  t.match((await other('list_change_requests')).data, { total: 0 })
})

void t.test('a request that is too long to be shown is not approved', async (t) => {
  const changes = Array.from({ length: 100 }, (_, index) =>
    recordOf(`long-${index}`, `"${'x'.repeat(250)}" "${'y'.repeat(250)}"`, 'TXT'),
  )
  const { id: requestId } = await zone.ask(zone.wanda, changes)
  const seen = await reviewer('get_change_request', { requestId })
  t.match(seen, { isError: false, text: /Too long/, data: { created: 100, creates: { length: 0 } } })
  const approval = { domain, requestId, revision: 1 }
  t.match(await reviewer('approve_change_request', approval), { isError: true, text: /too long/ })
  t.same(there('long-1', 'TXT'), [])
})
