import fc from 'fast-check'
import t, { type Test } from 'tap'
import { joinLabels } from '../../dns/wire/wire-name.ts'
import { coversName } from '../../dns/names/name-patterns.ts'
import { PERMISSIONS } from '../../schemas/people/permission.ts'
import { call, startApp, type Client } from '../helpers/app.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'

/**
 * Names are compared label by label, however they are written: what somebody with a pattern sees and changes is held
 * against a rule of this test's own, which knows labels and no text. SQL and TypeScript both have to agree with it.
 */

/** From the leftmost. */
type Labels = readonly string[]

const nameOf = (labels: Labels) =>
  labels.length === 0 ? '@' : joinLabels(labels.map((label) => Buffer.from(label)))

const isCovered = (above: Labels, name: Labels) =>
  name.length > above.length && above.every((label, at) => name.at(at - above.length) === label)

/** Labels that look like several, or like the end of others. */
const label = fc.constantFrom(
  'dev',
  'a',
  'x.dev',
  '.dev',
  '\\',
  'x\\',
  'x\\.dev',
  'a.b',
  'xdev',
  'd%v',
  '_ev',
  '*',
)
const name = fc.array(label, { minLength: 1, maxLength: 3 })
const plain = fc.array(fc.constantFrom('dev', 'a', 'b', '_ev'), { minLength: 1, maxLength: 2 })

/** How many ways there are to write a name. */
function writtenOtherwise(labels: Labels): string {
  const bytes = (label: string) =>
    [...Buffer.from(label.toUpperCase())].map((byte, at) =>
      at % 2 === 0 || !/[A-Z]/.test(String.fromCharCode(byte))
        ? `\\${String(byte).padStart(3, '0')}`
        : String.fromCharCode(byte),
    )
  return labels.map((label) => bytes(label).join('')).join('.')
}

void t.test('a name and a pattern, in TypeScript', (t) => {
  t.notOk(coversName(['*.dev'], 'x\\.dev'), 'an escaped dot belongs to the label')
  t.notOk(coversName(['*.dev'], 'x\\046dev'), 'however it is escaped')
  t.ok(coversName(['*.dev'], 'x\\\\.dev'), 'a dot after an escaped backslash separates')
  t.ok(coversName(['*.dev'], 'X.DEV'), 'in any case')
  t.ok(coversName(['a.dev'], '\\065.\\100ev'))
  fc.assert(
    fc.property(plain, name, (above, labels) => {
      const expected = isCovered(above, labels)
      for (const written of [nameOf(labels), writtenOtherwise(labels)]) {
        if (coversName([`*.${nameOf(above)}`], written) !== expected) return false
      }
      return coversName([nameOf(above)], writtenOtherwise(labels)) === (nameOf(above) === nameOf(labels))
    }),
    { numRuns: 2_000 },
  )
  t.end()
})

const { app, admin, addUser, signIn } = await startApp(t)
const config = await addManual(admin)

const drawn = fc.sample(name, { seed: 24, numRuns: 120 })
const names = [
  ...new Map([...drawn, ['dev'], ['a', 'dev']].map((labels) => [nameOf(labels), labels])).values(),
]
const abovesDrawn = fc.sample(plain, { seed: 24, numRuns: 20 })
const aboves = [...new Map(abovesDrawn.map((labels) => [nameOf(labels), labels])).values()]

const { id: domainId } = await addDomain(admin, config, 'example.com')
const url = `/api/domains/${domainId}`
const lines = names.map((labels, at) => `${nameOf(labels)} 300 IN TXT "needle${at}"\n`)
const imported = await admin.post(`${url}/records/import`, { zonefile: lines.join(''), mode: 'replace' })
if (imported.status !== 200) throw new Error(JSON.stringify(imported.body))

interface Row {
  id: string
  name: string
}
const namesOf = (rows: Row[]) => rows.map(({ name }) => name).toSorted()
const everything = (await admin.get(`${url}/records?limit=200`)).body.records as Row[]

async function checkSight(t: Test, client: Pick<Client, 'get'>, expected: string[], root = '/api') {
  const of = `${root}/domains/${domainId}`
  const list = (await client.get(`${of}/records?limit=200`)).body
  t.same(namesOf(list.records), expected, 'the list')
  t.equal(list.total, expected.length, 'its total')
  t.equal((await client.get(of)).body.recordCount, expected.length, 'the count of the domain')
  const { domains } = (await client.get(`${root}/domains`)).body as { domains: { recordCount: number }[] }
  t.equal(domains[0]?.recordCount, expected.length, 'the count in the list of domains')
  const found = await client.get(`${root}/records/search?limit=200&q=needle`)
  t.same(namesOf(found.body.records), expected, 'the search')
  const { changes } = (await client.get(`${of}/changes`)).body as { changes: { items: { after: Row }[] }[] }
  const items = changes.flatMap((change) => change.items.map(({ after }) => after))
  t.same(namesOf(items), expected.slice(0, items.length), 'the history')
  const hidden = everything.filter((row) => !expected.includes(row.name))
  for (const row of hidden.slice(0, 20)) {
    t.equal((await client.get(`${of}/records/${row.id}`)).status, 404, `${row.name} is not there`)
  }
}

for (const [at, above] of aboves.entries()) {
  const pattern = `*.${nameOf(above)}`
  const expected = names
    .filter((labels) => isCovered(above, labels))
    .map(nameOf)
    .toSorted()
  void t.test(`${pattern} covers ${expected.length} of ${names.length}`, async (t) => {
    await addUser(`delegate${at}`)
    const user = await signIn(`delegate${at}`)
    idOf(
      await admin.post('/api/assignments', {
        userId: user.userId,
        domainId,
        permission: 'write',
        subdomainPattern: pattern,
      }),
    )
    if (expected.length > 0) await checkSight(t, user, expected)
    const ofToken = await admin.post('/api/auth/me/tokens', {
      name: pattern,
      permissions: PERMISSIONS,
      restrictions: { namePatterns: [pattern], domainIds: [domainId] },
    })
    const headers = { authorization: `Bearer ${ofToken.body.token}` }
    const program = { get: (path: string) => call(app, { method: 'GET', url: path, headers }) }
    await checkSight(t, program, expected, '/api/v1')

    const outside = everything.filter((row) => !expected.includes(row.name))
    const changes = outside.map(({ id }) => ({ action: 'update', recordId: id, ttl: 900 }))
    const plan = await user.post(`${url}/records/plan`, { changes })
    t.same(
      plan.body.conflicts.map(({ kind }: { kind: string }) => kind),
      outside.map(() => 'not_found'),
      'nothing outside can be changed',
    )
    const zonefile = lines.map((line) => line.replace('needle', 'taken')).join('')
    const merge = await user.post(`${url}/records/import`, { zonefile, mode: 'merge', dryRun: true })
    t.same(
      namesOf(merge.body.plan.creates.map(({ after }: { after: Row }) => after)),
      expected,
      'nor be written',
    )
  })
}
