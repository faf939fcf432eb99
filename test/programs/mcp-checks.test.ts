import t from 'tap'
import { RCODE } from '../../dns/wire/message.ts'
import { startDnsServer, record } from '../helpers/dns-server.ts'
import { until } from '../helpers/until.ts'
import { startZone } from '../helpers/zone.ts'
import { connectAssistant, listenForAssistants } from './assistant.ts'

/* Verification and health by assistants. */
const zone = await startZone(t)
const server = await startDnsServer(t, () => ({
  isAuthoritative: true,
  rcode: RCODE.NOERROR,
  answers: [record('www.example.com', 'A', '192.0.2.1')],
}))
const verifyServers = [`${server.address}:${server.port}`]
await zone.admin.put(`/api/provider-configs/${zone.configId}`, { verifyServers })
const url = await listenForAssistants(zone.app)
const permissions = ['domains:read', 'records:read', 'records:write', 'domains:write']
const { body: made } = await zone.admin.post('/api/auth/me/tokens', { name: 'assistant', permissions })
const { call } = await connectAssistant(t, url, made.token)

const domain = 'example.com'

void t.test('a change is verified', async (t) => {
  await zone.add('A', 'www', '192.0.2.1')
  const { body } = await zone.admin.get(`/api/domains/${zone.domainId}/changes`)
  const given = { domain, changeId: body.changes[0].id }
  t.match(await call('verify_change', given), { isError: false, data: { status: String } })
  const done = await until('verified', async () => {
    const found = await call('get_verification', given)
    return found.data.status === 'verified' && found
  })
  t.match(done, { text: /verified: 1 of 1/, data: { servers: [{ state: 'agrees' }] } })
  t.match(await call('get_verification', { ...given, domain: 'other.example' }), { isError: true })
})

void t.test('what is wrong with a domain', async (t) => {
  await zone.add('A', 'intern', '10.0.0.1')
  const checked = await call('check_health', { domain })
  const found = { code: 'address.private', severity: 'warning', name: 'intern', canBeFixed: false }
  t.equal(checked.isError, false)
  t.ok(checked.data.findings.some(({ code }: { code: string }) => code === found.code))
  t.match(checked.text, /address\.private at intern A of example\.com/)
  const { data } = await call('list_health_findings', { domain, severity: 'warning' })
  t.ok(data.findings.some((one: typeof found) => one.code === found.code && one.name === found.name))
  t.match(await call('list_health_findings', { severity: 'bad' }), { isError: true })
})
