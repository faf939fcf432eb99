import t from 'tap'
import { applyOneByOne } from '../../modules/providers/shared/records/applied-records.ts'
import { ProviderError, type RRsetEdit } from '../../modules/providers/contract.ts'
import { add, edit } from '../conformance/suite/subject.ts'

const EDITS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => edit(name, 'A', [add('192.0.2.1')]))

/** Applies the edits where writing some names fails; also what was written, and how often all was read. */
async function apply(edits: RRsetEdit[], failing: Record<string, ProviderError>) {
  const written: string[] = []
  const reads = { all: 0, single: 0 }
  const answer = await applyOneByOne(edits, {
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

void t.test('where nothing was done the failure is that of all', async (t) => {
  t.equal((await apply(EDITS, { a: away })).answer, away)
})

void t.test('an edit of a TTL alone that fails among others leaves them in doubt', async (t) => {
  const held = { id: '1', name: 'b', type: 'A' as const, ttl: 60, member: { value: '192.0.2.1' } }
  const call = applyOneByOne([edit('a', 'A', [add('192.0.2.1')]), edit('b', 'A', [], 300)], {
    readAll: async () => [held],
    readSet: async ({ name }) => (name === 'b' ? [held] : []),
    async write({ name }) {
      if (name === 'b') throw refused
      return 'id'
    },
  })
  t.match(await call.catch((error: unknown) => error), { outcome: 'unknown' })
})
