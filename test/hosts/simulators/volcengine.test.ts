import t from 'tap'
import { sign } from '../../conformance/simulators/signatures.ts'
import { send, startSimulator } from '../../conformance/simulators/simulator.ts'
import dialect, { VOLCENGINE } from '../../conformance/simulators/volcengine.ts'

const sim = await startSimulator(dialect)
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

interface Answer {
  ResponseMetadata: { Error?: { Code: string } }
  Result?: object
}
interface Options {
  at?: typeof sim
  headers?: Record<string, string>
}
async function call(method: string, target: string, body?: object, { at = sim, headers = {} }: Options = {}) {
  const answer = await send(at, method, target, body, headers)
  const { ResponseMetadata, Result } = answer.body as Answer
  return { status: answer.status, code: ResponseMetadata.Error?.Code, result: Result }
}
const get = (action: string, options: Options = {}) =>
  call('GET', `/?Action=${action}&Version=2018-08-01`, undefined, options)
const post = (action: string, body: object, options: Options = {}) =>
  call('POST', `/?Action=${action}&Version=2018-08-01`, body, options)
const good = { ZID: zone.id, Host: 'www', Type: 'A', Value: '192.0.2.1' }
const create = (params: object = {}) => post('CreateRecord', { ...good, ...params })
const reader = { ...sim, keyId: sim.readId, secret: sim.readSecret }

void t.test('keys', async (t) => {
  const old = { 'x-date': new Date(Date.now() - 3_600_000).toISOString().replace(/[-:]|\.\d+/g, '') }
  const target = '/?Action=ListZones&Version=2018-08-01'
  const withoutHost = { method: 'GET', target, headers: {}, bytes: Buffer.alloc(0) }
  const key = { id: sim.keyId, secret: sim.secret }
  const cases: [Options, number, string][] = [
    [{ at: { ...sim, keyId: 'AKLTother' } }, 401, 'InvalidAccessKey'],
    [{ at: { ...sim, secret: 'no' } }, 401, 'SignatureDoesNotMatch'],
    [
      { headers: sign(withoutHost, { ...VOLCENGINE, needed: ['x-date'] }, key) },
      401,
      'SignatureDoesNotMatch',
    ],
    [{ headers: old }, 400, 'InvalidTimestamp'],
  ]
  for (const [options, status, code] of cases)
    t.match(await get('ListZones', options), { status, code }, code)
  t.match(await get('ListZones', { at: reader }), { status: 200 })
  t.match(await post('CreateRecord', good, { at: reader }), { status: 403, code: 'AccessDenied' })
  t.match(await get('CreateRecord'), { status: 404, code: 'InvalidActionOrVersion' })
  t.match(await call('GET', '/?Action=ListZones'), { code: 'InvalidActionOrVersion' })
})

void t.test('so many calls of an action in a second', async (t) => {
  const at = await startSimulator(dialect, { perSecond: 1 })
  t.teardown(() => at.close())
  t.match(await get('ListZones', { at }), { status: 200 })
  t.match(await get('ListZones', { at }), { status: 429, code: 'FlowLimitExceeded' })
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
