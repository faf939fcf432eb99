import t from 'tap'
import linode from '../../modules/providers/adapters/linode/index.ts'
import { add, edit, OTHER_TTL, replace, rrset, start } from '../conformance/suite/subject.ts'
import { conformance } from '../conformance/suite/index.ts'
import dialect from '../conformance/simulators/linode.ts'
import { send, startSimulator } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

const [SIP, OTHER] = ['10 60 5060 sip.example.net', '20 0 5061 other.example.net']

void t.test('Linode', async (t) => {
  const { sim, makeSubject } = await simulate(t, linode, dialect)
  await conformance(t, 'conformance', makeSubject)

  await t.test('SRV by service and protocol, CAA by tag and issuer', async (t) => {
    const { subject, adapter, zone, apply, list } = await start(t, makeSubject)
    await apply([
      edit('_sip._tcp', 'SRV', [add(SIP), add(OTHER)]),
      edit('@', 'CAA', [add('0 issue "ca.example.net"')]),
    ])
    await apply([edit('_sip._tcp', 'SRV', [replace(OTHER, '5 0 5061 other.example.net')])])
    const wanted = [
      rrset('@', 'CAA', ['0 issue "ca.example.net"']),
      rrset('_sip._tcp', 'SRV', [SIP, '5 0 5061 other.example.net']),
    ]
    t.same(await subject.dump(), wanted)
    t.same((await list()).rrsets, wanted)
    t.match(await adapter.readRRset(zone, '_sip._tcp', 'SRV'), { members: { length: 2 } })
  })

  await t.test('a record that was made without its TTL gets it', async (t) => {
    const { makeSubject: losing } = await simulate(t, linode, dialect, { losesTtl: true })
    const { subject, apply } = await start(t, losing)
    await apply([edit('www', 'A', [add('192.0.2.1')], OTHER_TTL)])
    t.same(await subject.dump(), [rrset('www', 'A', ['192.0.2.1'], OTHER_TTL)])
  })

  await t.test('what Linode has no fields for', (t) => {
    const refusal = (name: string, type: 'CAA' | 'SRV', value: string) =>
      linode.audit?.('example.com', [edit(name, type, [add(value)])])?.[0]?.code
    t.equal(refusal('@', 'CAA', '128 issue "ca.example.net"'), 'caa_plain')
    t.equal(refusal('@', 'CAA', '0 issue "ca.example.net; a=b"'), 'caa_plain')
    t.equal(refusal('@', 'CAA', '0 issuemail "ca.example.net"'), 'caa_plain')
    t.equal(refusal('_sip._tcp.deep', 'SRV', SIP ?? ''), 'srv_name')
    t.equal(refusal('_sip._sctp', 'SRV', SIP ?? ''), 'srv_name')
    t.equal(refusal('_sip._tcp', 'SRV', '0 0 0 .'), 'srv_target')
    t.equal(refusal('_sip._tcp', 'SRV', SIP ?? ''), undefined)
    t.end()
  })

  await t.test('what Linode refuses', async (t) => {
    const path = `/domains/${sim.createZone('example.test').id}/records`
    const a = (name: string, target = '192.0.2.1') => ({ type: 'A', name, target })
    const invalid = (field: string) => ({ status: 400, body: { errors: [{ reason: /./, field }] } })
    const numbers = { priority: 1, weight: 2, port: 3 }
    const srv = { type: 'SRV', service: 'sip', protocol: 'tcp', target: 'a.test', ...numbers }
    const made = await send(sim, 'POST', path, srv)
    t.match(made, { status: 200, body: { name: '_sip._tcp', service: '_sip', protocol: '_tcp', ttl_sec: 0 } })
    const one = `${path}/${(made.body as { id: number }).id}`
    t.match((await send(sim, 'PUT', one, { ttl_sec: 301 })).body, { ttl_sec: 3600, port: 3 })
    t.match(await send(sim, 'PUT', one, made.body), invalid('service'), 'what is shown is not taken')
    await send(sim, 'POST', path, a('taken'))
    for (const [wrong, field] of [
      [{ ...srv, name: '_sip._tcp.sub' }, 'name'],
      [a('@'), 'name'],
      [a('x', '2001:db8::1'), 'target'],
      [{ ...a('x'), ttl_sec: 2_419_201 }, 'ttl_sec'],
      [{ ...a('x'), type: 'TLSA' }, 'type'],
      [{ type: 'NS', name: '', target: 'ns.test' }, 'name'],
      [{ type: 'CNAME', name: '', target: 'a.test' }, 'name'],
      [{ type: 'CNAME', name: 'taken', target: 'a.test' }, 'name'],
      [{ type: 'MX', name: 'x', target: 'mx.test' }, 'priority'],
      [{ type: 'MX', name: 'x', target: '.', priority: 0 }, 'target'],
      [{ type: 'CAA', name: 'x', target: 'ca.test' }, 'tag'],
      [{ type: 'CAA', name: 'x', target: 'ca.test; a=b', tag: 'issue' }, 'target'],
    ] as const)
      t.match(await send(sim, 'POST', path, wrong), invalid(field), JSON.stringify(wrong))
    const { id } = sim.createZone('slave.test', { type: 'slave' })
    t.match(await send(sim, 'POST', `/domains/${id}/records`, a('x')), { status: 400 })
    for (const size of [24, 501])
      t.match(await send(sim, 'GET', `${path}?page_size=${size}`), invalid('page_size'))
    t.match(await send(sim, 'GET', `${path}?page=2`), { status: 404 })
  })

  await t.test('Retry-After stands in every answer but a refusal', async (t) => {
    const narrow = await startSimulator(dialect, { rate: 1 })
    t.teardown(() => narrow.close())
    const first = await send(narrow, 'GET', '/profile')
    t.match([first.status, first.headers.get('retry-after')], [200, /^\d+$/])
    const { status, headers } = await send(narrow, 'GET', '/profile')
    t.match([status, headers.get('retry-after'), headers.get('x-ratelimit-limit')], [429, null, '1'])
  })
})
