import t from 'tap'
import { IncompleteList, ProviderError, type Provider } from '../../modules/providers/contract.ts'
import { ManySets } from '../conformance/simulators/many-sets.ts'
import { startApp } from '../helpers/app.ts'
import { idOf } from '../helpers/zone.ts'

/* Which calls of an adapter are made again as a whole: those that no single request of theirs can mend. */

const { provider, credentials } = new ManySets()
const failures: ProviderError[] = []
let calls = 0
const failing: Provider = {
  ...provider,
  async open(given, context) {
    const adapter = await provider.open(given, context)
    const listZones = async function* () {
      calls++
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      yield* adapter.listZones()
    }
    return { ...adapter, listZones }
  },
}
const { admin } = await startApp(t, { providers: [failing] })
const config = { providerId: provider.id, name: 'x', credentials }
const url = `/api/provider-configs/${idOf(await admin.post('/api/provider-configs', config))}/zones`

async function list(...given: ProviderError[]) {
  failures.splice(0, Infinity, ...given)
  calls = 0
  return (await admin.get(url)).status
}

void t.test('a list that ends too early is read again, three times in all', async (t) => {
  t.equal(await list(new IncompleteList(), new IncompleteList()), 200)
  t.equal(calls, 3)
  t.equal(await list(new IncompleteList(), new IncompleteList(), new IncompleteList()), 502)
  t.equal(calls, 3)
})

void t.test('a call that is locked is made again while there is time', async (t) => {
  const locked = () => new ProviderError('locked', 'Busy')
  t.equal(await list(locked(), locked(), locked(), locked()), 200)
  t.equal(calls, 5)
})

void t.test('a call whose request failed does not start over', async (t) => {
  t.equal(await list(new ProviderError('unavailable', 'Down')), 502)
  t.equal(calls, 1)
})
