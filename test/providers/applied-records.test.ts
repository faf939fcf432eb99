import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { applyOneByOne } from '../../modules/providers/shared/records/applied-records.ts'
import { ProviderError, type RRsetEdit } from '../../modules/providers/contract.ts'
import { adapterContext } from '../conformance/adapter-context.ts'
import { add, edit } from '../conformance/suite/subject.ts'

const EDITS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => edit(name, 'A', [add('192.0.2.1')]))

const context = (given: { parallelWrites?: number; deadline?: number } = {}) =>
  adapterContext({ http: null as never, tcp: null as never, ...given })

/** Applies the edits where writing some names fails; also what was written, and how often all was read. */
async function apply(edits: RRsetEdit[], failing: Record<string, ProviderError>) {
  const written: string[] = []
  const reads = { all: 0, single: 0 }
  const answer = await applyOneByOne(edits, {
    context: context(),
    async readAll() {
      reads.all++
      return []
    },
    async readSet() {
      reads.single++
      return []
    },
    async write({ name }) {
      const failure = failing[name]
      if (failure) throw failure
      written.push(name)
      return `id of ${name}`
    },
  }).catch((error: unknown) => error)
  return { answer, written: written.join(''), reads }
}

const refused = new ProviderError('rejected', 'no such')
const away = new ProviderError('unavailable', 'gone', { outcome: 'unknown' })

void t.test('of many edits the zone is read once, of few their sets', async (t) => {
  t.same((await apply(EDITS, {})).reads, { all: 1, single: 0 })
  t.same((await apply(EDITS.slice(0, 3), {})).reads, { all: 0, single: 3 })
})

void t.test('what is refused is the outcome of its edit, and the others are done', async (t) => {
  const { answer, written } = await apply(EDITS, { a: refused, d: refused })
  t.equal(written, 'bcefg')
  t.match(answer, [[{ ok: false, error: { message: 'no such' } }], [{ ok: true, providerId: 'id of b' }]])
})

void t.test('what keeps all calls from being made is met once, and what was done is told', async (t) => {
  const { answer, written } = await apply(EDITS, { c: away })
  t.equal(written, 'ab')
  t.match(answer, [
    [{ ok: true }],
    [{ ok: true }],
    [{ ok: false, error: { outcome: 'unknown' } }],
    [{ ok: false, error: { outcome: 'not_applied', message: /^Not sent/ } }],
  ])
})

void t.test('where certainly nothing was done the failure is that of all', async (t) => {
  const gone = new ProviderError('unavailable', 'not reached')
  t.equal((await apply(EDITS, { a: gone })).answer, gone)
  t.equal((await apply(EDITS.slice(0, 1), { a: away })).answer, away)
})

void t.test('where the first may have been done the others are certainly not', async (t) => {
  t.match((await apply(EDITS, { a: away })).answer, [
    [{ ok: false, error: { outcome: 'unknown' } }],
    [{ ok: false, error: { outcome: 'not_applied' } }],
  ])
})

void t.test('an edit of a TTL alone that fails among others leaves them in doubt', async (t) => {
  const held = { id: '1', name: 'b', type: 'A' as const, ttl: 60, member: { value: '192.0.2.1' } }
  const call = applyOneByOne([edit('a', 'A', [add('192.0.2.1')]), edit('b', 'A', [], 300)], {
    context: context(),
    readAll: async () => [held],
    readSet: async ({ name }) => (name === 'b' ? [held] : []),
    async write({ name }) {
      if (name === 'b') throw refused
      return 'id'
    },
  })
  t.match(await call.catch((error: unknown) => error), { outcome: 'unknown' })
})

/** Applies the edits four at a time; each write takes a moment. Answers how many were in progress at most, and their order. */
async function applyFour(
  edits: RRsetEdit[],
  failing: Record<string, ProviderError> = {},
  deadline = Date.now() + 10_000,
) {
  const written: string[] = []
  let [now, most] = [0, 0]
  const answer = await applyOneByOne(edits, {
    context: context({ parallelWrites: 4, deadline }),
    readAll: async () => [],
    readSet: async () => [],
    async write({ name, type }) {
      most = Math.max(most, ++now)
      await sleep(5)
      now--
      const failure = failing[name]
      if (failure) throw failure
      written.push(`${name} ${type}`)
      return 'id'
    },
  }).catch((error: unknown) => error)
  return { answer, written, most }
}

void t.test('different names are written at the same time, those of one name in their order', async (t) => {
  const { written, most } = await applyFour([...EDITS, edit('a', 'TXT', [add('"x"')])])
  t.equal(most, 4)
  t.equal(written.length, 8)
  t.ok(written.indexOf('a A') < written.indexOf('a TXT'))
})

void t.test('a delegation decides what is below it, so nothing is written at the same time', async (t) => {
  t.equal((await applyFour([...EDITS, edit('sub', 'NS', [add('ns.example.net')])])).most, 1)
})

void t.test('one of several at the same time may have been done, though another failed first', async (t) => {
  const gone = new ProviderError('unavailable', 'not reached')
  t.match((await applyFour(EDITS, { a: gone, b: away, c: gone, d: gone })).answer, [
    [{ ok: false, error: { outcome: 'not_applied' } }],
    [{ ok: false, error: { outcome: 'unknown' } }],
  ])
})

void t.test(
  'after a failure no further write begins, and those in progress have their outcomes',
  async (t) => {
    const { answer, written } = await applyFour(EDITS, { a: away })
    t.same(written, ['b A', 'c A', 'd A'])
    t.match(answer, [
      [{ ok: false, error: { outcome: 'unknown' } }],
      [{ ok: true }],
      [{ ok: true }],
      [{ ok: true }],
      [{ ok: false, error: { outcome: 'not_applied', message: /^Not sent/ } }],
    ])
  },
)

void t.test('after the deadline nothing is written', async (t) => {
  const { answer, written } = await applyFour(EDITS, {}, Date.now())
  t.match(answer, { kind: 'timeout', outcome: 'not_applied' })
  t.same(written, [])
})
