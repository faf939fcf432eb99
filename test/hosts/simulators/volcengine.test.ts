import t from 'tap'
import { sigV4, sigV4Header } from '../../conformance/simulators/sigv4.ts'
import { VOLCENGINE, type VolcengineKey } from '../../conformance/simulators/volcengine-keys.ts'
import {
  startVolcengineSimulator,
  type VolcengineSimulator,
} from '../../conformance/simulators/volcengine.ts'

const sim = await startVolcengineSimulator()
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

interface Answer {
  ResponseMetadata: { Action: string; Error?: { CodeN: number; Code: string } }
  Result?: Record<string, unknown> & { Records?: object[] }
}
interface Options {
  key?: VolcengineKey
  at?: VolcengineSimulator
  date?: Date
  signed?: string[]
}
const send = async (target: string, body: object | null, options: Options = {}) => {
  const { key = sim, at = sim, date = new Date(), signed = ['host', 'x-date'] } = options
  const { host } = new URL(at.apiUrl)
  const time = date.toISOString().replace(/[-:]|\.\d+/g, '')
  const headers = { host, 'x-date': time, 'content-type': 'application/json' }
  const text = body === null ? '' : JSON.stringify(body)
  const method = body === null ? 'GET' : 'POST'
  const { accessKeyId, secretAccessKey } = key
  const scope = { accessKeyId, secretAccessKey, region: 'cn-beijing', service: 'dns' }
  const signable = { method, target, headers, bytes: Buffer.from(text) }
  const authorization = sigV4Header(signable, scope, time, signed, VOLCENGINE)
  const init = { method, headers: { ...headers, authorization }, ...(body !== null && { body: text }) }
  const answer = await fetch(`${at.apiUrl}${target}`, init)
  const { ResponseMetadata, Result } = (await answer.json()) as Answer
  return { status: answer.status, code: ResponseMetadata.Error?.Code, result: Result }
}
const get = (action: string, params: Record<string, string | number> = {}, options: Options = {}) => {
  const query = new URLSearchParams({ Action: action, Version: '2018-08-01' })
  for (const [name, value] of Object.entries(params)) query.set(name, String(value))
  return send(`/?${String(query)}`, null, options)
}
const post = (action: string, body: object, options: Options = {}) =>
  send(`/?Action=${action}&Version=2018-08-01`, body, options)
const good = { ZID: zone.id, Host: 'www', Type: 'A', Value: '192.0.2.1' }
const create = (params: object = {}) => post('CreateRecord', { ...good, ...params })

void t.test('signatures are those of the documentation', async (t) => {
  const scope = {
    accessKeyId: 'AKLTYWViMTVmZGYzM2E0NDI5Mzk2MDZjNjFmMjc2MjRjMzg',
    secretAccessKey: 'WkRZeE1EQmxPVGhsWWpWak5HVmtNbUUxTXpZeU9UVXlOMlE1TmpZeVlqTQ==',
    region: 'cn-beijing',
    service: 'billing',
  }
  const date = '20250329T180937Z'
  const headers = { host: 'billing.volcengineapi.com', 'x-date': date }
  const signatureOf = (method: string, target: string, text: string) =>
    sigV4({ method, target, headers, bytes: Buffer.from(text) }, scope, date, ['host', 'x-date'], VOLCENGINE)
  t.equal(
    signatureOf('GET', '/?Action=QueryBalanceAcct&Version=2022-01-01', ''),
    '1eda9e7e6b1728151a8e8791fdaf67cfbd28bd5c80d0fce2eb208746cf483105',
  )
  t.equal(
    signatureOf('POST', '/?Action=ListBill&Version=2022-01-01', '{"Limit":10,"BillPeriod":"2023-08"}'),
    '5e8480ceea12d0000a23c054151c50dd02c1a7dec835004057d19f13d53a7658',
  )
})

void t.test('keys', async (t) => {
  const { accessKeyId, secretAccessKey } = sim
  const cases: [Options, number, string][] = [
    [{ key: { accessKeyId: 'AKLTother', secretAccessKey } }, 401, 'InvalidAccessKey'],
    [{ key: { accessKeyId, secretAccessKey: 'no' } }, 401, 'SignatureDoesNotMatch'],
    [{ signed: ['x-date'] }, 401, 'SignatureDoesNotMatch'],
    [{ date: new Date(Date.now() - 3_600_000) }, 400, 'InvalidTimestamp'],
  ]
  for (const [options, status, code] of cases)
    t.match(await get('ListZones', {}, options), { status, code }, code)
  t.match(await get('ListZones', {}, { key: sim.reader }), { status: 200 })
  const refused = await post('CreateRecord', good, { key: sim.reader })
  t.match(refused, { status: 403, code: 'AccessDenied' })
  t.match(await get('CreateRecord'), { status: 404, code: 'InvalidActionOrVersion' })
  t.match(await send('/?Action=ListZones', null), { code: 'InvalidActionOrVersion' })
})

void t.test('so many calls of an action in a second', async (t) => {
  const at = await startVolcengineSimulator({ perSecond: 1 })
  t.teardown(() => at.close())
  const options = { at, key: at }
  t.match(await get('ListZones', {}, options), { status: 200 })
  t.match(await get('ListZones', {}, options), { status: 429, code: 'FlowLimitExceeded' })
})

void t.test('names with the final dot and without', async (t) => {
  t.match(await create({ Type: 'MX', Value: '10 mx.test' }), { result: { Value: '10 mx.test' } })
  t.match(await create({ Type: 'MX', Value: '20 mx.test.' }), { result: { Value: '20 mx.test.' } })
  t.match(await create({ Type: 'MX', Value: '10 mx.test.' }), { code: 'ErrDBDuplicated' })
  t.match(await create({ Host: '_sip._tcp', Type: 'SRV', Value: '1 2 5060 sip.test' }), { status: 200 })
  t.match(await create({ Host: '@', Type: 'CAA', Value: '0 issue "ca.test"' }), { status: 200 })
})

void t.test('what is refused', async (t) => {
  await create({ Host: 'alias', Type: 'CNAME', Value: 'a.test' })
  const before = zone.records
  for (const [params, code] of [
    [{ Host: 'alias' }, 'ErrSpecNotValid'],
    [{ Host: '' }, 'ErrHostCanNotBeEmpty'],
    [{ Host: 'x y' }, 'ErrParamInvalid'],
    [{ Type: 'PTR', Value: 'a.test' }, 'ErrParamInvalid'],
    [{ Host: '@', Type: 'NS', Value: 'ns.test' }, 'ErrParamInvalid'],
    [{ Value: '2001:db8::1' }, 'ErrParamInvalid'],
    [{ Type: 'MX', Value: '0 .' }, 'ErrParamInvalid'],
    [{ Type: 'TXT', Value: 'say "hi"' }, 'ErrParamInvalid'],
    [{ Line: 'nowhere' }, 'ErrParamInvalid'],
    [{ Host: 'x', TTL: 599 }, 'ErrParamInvalid'],
    [{ Host: 'x', Weight: 101 }, 'ErrParamInvalid'],
    [{ ZID: String(zone.id) }, 'ErrParsingParams'],
    [{ ZID: 1 }, 'ErrZoneNotFound'],
  ] as const)
    t.match(await create(params), { status: 400, code }, JSON.stringify(params))
  t.same(zone.records, before)
})
