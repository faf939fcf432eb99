import t from 'tap'
import { accessToken } from '../../../modules/providers/client/access-token.ts'
import { adapterContext } from '../../conformance/adapter-context.ts'
import { fakeClock } from '../../conformance/fake-clock.ts'
import { failure, json, ok, start } from './setup.ts'

/* Tokens that are asked for, kept, and asked for anew. */

const context = (clock = fakeClock()) => adapterContext({ http: null as never, tcp: null as never, clock })

void t.test('a token is asked for once, and again a minute before its end', async (t) => {
  const clock = fakeClock()
  const shared = context(clock)
  let asked = 0
  const ask = async () => ({ token: `token-${++asked}`, seconds: 3_600 })
  const said = async () => (await accessToken(shared, ask).authenticate())['authorization']
  t.equal(await said(), 'Bearer token-1')
  clock.pass(3_539_000)
  t.equal(await said(), 'Bearer token-1', 'by all of the account')
  clock.pass(2_000)
  t.equal(await said(), 'Bearer token-2')
})

void t.test('one that is refused before its end is asked for anew, once', async (t) => {
  let asked = 0
  const tokens = accessToken(context(), async () => ({ token: `token-${++asked}`, seconds: 3_600 }))
  let good = 'Bearer token-1'
  const { client, server } = await start(
    t,
    ({ headers }) => (headers.authorization === good ? ok() : json(401, {})),
    tokens,
  )
  await client.write('/', { json: {} })
  good = 'Bearer token-2'
  await client.write('/', { json: {} })
  t.same([asked, server.requests.length], [2, 3])
  good = 'none'
  t.match(await failure(client.read('/')), { kind: 'auth' })
  t.same([asked, server.requests.length], [3, 5], 'a new one that is refused is not good')
})
