import t from 'tap'
import { startFakeNetcup } from '../../conformance/simulators/netcup.ts'

const fake = await startFakeNetcup()
t.teardown(() => fake.close())
fake.createZone('example.test')

interface Answer {
  status: string
  statuscode: number
  longmessage: string
  responsedata: { apisessionid?: string; dnsrecords?: { id: string; destination: string }[] } | ''
}
const call = async (action: string, param: object, at = fake): Promise<Answer> => {
  const account = { customernumber: at.customerNumber, apikey: at.apiKey }
  const body = JSON.stringify({ action, param: { ...account, ...param } })
  const answer = await fetch(at.apiUrl, { method: 'POST', body })
  t.equal(answer.status, 200, 'whatever went wrong')
  return (await answer.json()) as Answer
}
const login = async (apipassword = fake.apiPassword, at = fake) => {
  const { responsedata } = await call('login', { apipassword }, at)
  return responsedata === '' ? '' : (responsedata.apisessionid ?? '')
}
let apisessionid = await login()
const act = (action: string, more: object = {}) =>
  call(action, { apisessionid, domainname: 'example.test', ...more })
const update = (...dnsrecords: object[]) => act('updateDnsRecords', { dnsrecordset: { dnsrecords } })
const recordsOf = ({ responsedata }: Answer) => (responsedata === '' ? [] : (responsedata.dnsrecords ?? []))
const invalid = (longmessage: RegExp) => ({
  status: 'error',
  statuscode: 4013,
  longmessage,
  responsedata: '',
})

void t.test('sessions', async (t) => {
  t.match(await call('login', { apipassword: 'no' }), { status: 'error', statuscode: 4001, responsedata: '' })
  t.match(await call('infoDnsZone', { domainname: 'example.test' }), { statuscode: 4001 })
  fake.endSessions()
  t.match(await act('infoDnsZone'), { statuscode: 4001, longmessage: /session id/ })
  apisessionid = await login()
  t.match(await act('infoDnsZone'), { statuscode: 2000 })
  const other = await login()
  t.match(await act('logout', { apisessionid: other }), { status: 'success' })
  t.match(await act('infoDnsZone', { apisessionid: other }), { statuscode: 4001 })
})

void t.test('zones', async (t) => {
  t.match(await act('infoDnsZone'), { responsedata: { name: 'example.test', ttl: '86400', serial: /^\d+$/ } })
  t.match(await act('infoDnsZone', { domainname: 'missing.test' }), { status: 'error', statuscode: 5014 })
  t.match(await act('infoDnsZone', { domainname: 'no' }), invalid(/domainname/))
  t.match((await act('listallDomains')).responsedata, [{ domainname: 'example.test' }])
  await act('updateDnsZone', { dnszone: { name: 'example.test', ttl: '3600' } })
  t.match(await act('infoDnsZone'), { responsedata: { ttl: '3600' } }, 'of all records')
  const others = await startFakeNetcup({ reseller: false })
  t.teardown(() => others.close())
  const session = await login(others.apiPassword, others)
  t.match(await call('listallDomains', { apisessionid: session }, others), { statuscode: 4020 })
})

void t.test('a zone without records is answered as one that is not there', async (t) => {
  t.match(await act('infoDnsRecords'), { status: 'error', statuscode: 5029, responsedata: '' })
  t.match(await act('infoDnsRecords', { domainname: 'missing.test' }), { statuscode: 5029 })
  t.match(await act('updateDnsRecords', { domainname: 'missing.test' }), { statuscode: 5028 })
})

void t.test('records', async (t) => {
  const made = await update(
    { hostname: 'www', type: 'A', destination: '192.0.2.1' },
    { hostname: '@', type: 'MX', destination: 'mx.test.', priority: '10' },
    { hostname: '_sip._tcp', type: 'SRV', destination: '1 2 5060 sip.test' },
  )
  t.match(recordsOf(made), [
    { id: /^\d+$/, hostname: 'www', priority: '0', state: 'unknown', deleterecord: false },
    { priority: '10', destination: 'mx.test' },
    { destination: '1 2 5060 sip.test' },
  ])
  const [www, mail] = recordsOf(made)
  const changed = await update(
    { ...www, destination: '192.0.2.2' },
    { ...mail, deleterecord: true },
    { hostname: 'www', type: 'A', destination: '192.0.2.2' },
  )
  t.match(recordsOf(changed), { length: 3 }, 'all that is there is answered')
  t.match(recordsOf(changed), [{ id: www?.id, destination: '192.0.2.2' }, {}, { destination: '192.0.2.2' }])
  t.match(await update({ ...mail, deleterecord: true }), { statuscode: 5028 })
  const half = [
    { ...www, destination: '192.0.2.9' },
    { hostname: 'x', type: 'A', destination: 'no' },
  ]
  t.match(await update(...half), invalid(/value/))
  t.match(recordsOf(await act('infoDnsRecords'))[0], { destination: '192.0.2.2' }, 'all or nothing')
})

void t.test('what is refused', async (t) => {
  const good = { hostname: 'x', type: 'A', destination: '192.0.2.1' }
  await update({ hostname: 'alias', type: 'CNAME', destination: 'a.test' })
  for (const [record, message] of [
    [{ ...good, hostname: '' }, /Host/],
    [{ ...good, hostname: 'alias' }, /CNAME/],
    [{ ...good, type: 'PTR' }, /type/],
    [{ ...good, type: 'NS', hostname: '@' }, /type/],
    [{ ...good, type: 'MX', destination: '.' }, /value/],
    [{ ...good, type: 'TXT', destination: '"quoted"' }, /quotation marks/],
    [{ ...good, deleterecord: true }, /without id/],
  ] as const)
    t.match(await update(record), invalid(message), JSON.stringify(record))
  t.match(await update(), invalid(/empty/))
  t.match(await act('other'), invalid(/action/))
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeNetcup({ rate: 1 })
  t.teardown(() => narrow.close())
  t.ok(await login(narrow.apiPassword, narrow))
  t.match(await call('login', {}, narrow), invalid(/180 requests/))
})
