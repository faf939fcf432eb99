import t from 'tap'
import { PERMISSIONS } from '../../schemas/people/permission.ts'
import { call, startApp, type Answer, type Client } from '../helpers/app.ts'
import { operationsOf, type OpenApiDocument } from '../helpers/openapi.ts'
import { addDomain, addManual, idOf } from '../helpers/zone.ts'
import { CASES, type Case, type Need, type Place } from './operation-cases.ts'

/**
 * Every operation of the Open API by tokens of each kind: an operation without a case fails. What narrows a token
 * holds on every path, and no answer tells of what is beyond it.
 */

const NOWHERE = 'http://127.0.0.1:1/'
const service = await startApp(t, {
  environment: { RDAP_BOOTSTRAP_URL: NOWHERE, WHOIS_SERVER: '127.0.0.1' },
})
const { app, admin, addUser, signIn, database } = service
const document = (await call(app, { url: '/api/v1/openapi.json' })).body as OpenApiDocument
const operations = operationsOf(document)
const permissionOf = (description = '') => /need the permission `([a-z:]+)`/.exec(description)?.[1]

await addUser('owner')
await addUser('guest')
const [owner, guest] = [await signIn('owner'), await signIn('guest')]
const config = await addManual(owner)

/** Who has the token, what narrows it, and what it must not tell of. */
interface Kind {
  title: string
  client: Client
  restrictions?: (place: Place) => object
  hidden: (place: Place) => string[]
}

const IN_OTHER = ['mark-of-other', 'other-']
const KINDS: Kind[] = [
  { title: 'the whole account', client: owner, hidden: () => ['mark-of-foreign'] },
  { title: 'an administrator', client: admin, hidden: () => [] },
  {
    title: 'a domain',
    client: owner,
    restrictions: ({ domain }) => ({ domainIds: [domain] }),
    hidden: () => IN_OTHER,
  },
  {
    title: 'names',
    client: owner,
    restrictions: () => ({ namePatterns: ['app'] }),
    hidden: () => ['mark-of-secret'],
  },
  {
    title: 'types',
    client: owner,
    restrictions: () => ({ recordTypes: ['A'] }),
    hidden: () => ['mark-of-secret', 'mark-of-app', 'mark-of-other'],
  },
  {
    title: "a domain, of an administrator's",
    client: admin,
    restrictions: ({ domain }) => ({ domainIds: [domain] }),
    hidden: () => IN_OTHER,
  },
]

/** Two domains of the owner's with records, changes, assignments and what else there is to be found. */
async function prepare(mark: string): Promise<Place> {
  const [domainName, otherName] = [`mine-${mark}.example`, `other-${mark}.example`]
  const domain = (await addDomain(owner, config, domainName)).id
  const other = (await addDomain(owner, config, otherName)).id
  const add = async (id: string, recordType: string, name: string, value: string) =>
    idOf(await owner.post(`/api/domains/${id}/records`, { recordType, name, value }))
  const record = await add(domain, 'A', 'app', '192.0.2.1')
  await add(domain, 'TXT', 'app', 'mark-of-app')
  const secret = await add(domain, 'TXT', 'secret', 'mark-of-secret')
  await add(other, 'A', 'app', '192.0.2.2')
  await add(other, 'TXT', 'app', 'mark-of-other')
  const assign = async (domainId: string) =>
    idOf(await owner.post('/api/assignments', { userId: guest.userId, domainId, permission: 'read' }))
  // The first, of `record`.
  const changeOf = async (id: string) =>
    (await owner.get(`/api/domains/${id}/changes`)).body.changes.at(-1).id
  const request = async () =>
    idOf(
      await guest.post('/api/assignments/requests', {
        domain,
        permission: 'write',
        subdomainPattern: `r${Math.random().toString(36).slice(2, 8)}`,
        reason: 'test',
      }),
    )
  return {
    domain,
    domainName,
    other,
    otherName,
    record,
    secret,
    config,
    guest: guest.userId,
    admin: admin.userId,
    assignment: await assign(domain),
    otherAssignment: await assign(other),
    change: await changeOf(domain),
    otherChange: await changeOf(other),
    request: await request(),
    request2: await request(),
    nothing: '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10',
  }
}

async function tokenOf(client: Client, permissions: readonly string[], restrictions?: object) {
  const answer = await client.post('/api/auth/me/tokens', {
    name: 'test',
    permissions,
    ...(restrictions && { restrictions }),
  })
  idOf(answer)
  return answer.body.token as string
}

const METHODS: Record<string, 'GET' | 'POST' | 'PUT' | 'DELETE'> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  delete: 'DELETE',
}

type Send = (one: Case, place: Place, isOther?: boolean) => Promise<Answer>

/** Calls an operation; `isOther` of the other domain. */
const sender =
  (token: string): Send =>
  (one, place, isOther = false) => {
    const found = operations.find(({ operation }) => operation.operationId === one.operation)
    if (!found) throw new Error(`There is no ${one.operation}`)
    const seen = isOther
      ? {
          ...place,
          domain: place.other,
          domainName: place.otherName,
          assignment: place.otherAssignment,
          change: place.otherChange,
        }
      : place
    const parameters = { id: seen.domain, ...one.path?.(seen) }
    const path = found.path.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(parameters, name)))
    const body = one.body?.(seen)
    const payload = one.contentType ? Reflect.get(body ?? {}, 'text') : body
    return call(app, {
      method: METHODS[found.method] ?? 'GET',
      url: path + (one.query?.(seen) ?? ''),
      headers: {
        authorization: `Bearer ${token}`,
        ...(one.contentType && { 'content-type': one.contentType }),
      },
      ...(payload && { payload }),
    })
  }

void t.test('101. each operation has a case', async (t) => {
  const cases = new Set(CASES.map(({ operation }) => operation))
  const ids = operations.map(({ operation }) => operation.operationId ?? '')
  t.same(
    ids.filter((id) => !cases.has(id)),
    [],
  )
  t.same(
    [...cases].filter((id) => !ids.includes(id)),
    [],
  )
})

void t.test('each needs its permission, which its description names', async (t) => {
  const place = await prepare('permissions')
  const tokens = new Map<string, string>()
  for (const one of CASES) {
    const { description } = operations.find(({ operation }) => operation.operationId === one.operation)
      ?.operation ?? { description: '' }
    const permission = permissionOf(description)
    if (one.need === 'any') {
      t.equal(permission, undefined, one.operation)
      continue
    }
    t.ok(
      PERMISSIONS.some((known) => known === permission),
      `${one.operation} names a permission`,
    )
    const without = PERMISSIONS.filter((known) => known !== permission)
    const token = tokens.get(String(permission)) ?? (await tokenOf(admin, without))
    tokens.set(String(permission), token)
    t.match(
      await sender(token)(one, place),
      { status: 403, body: { code: 'permission_missing', permission } },
      one.operation,
    )
  }
})

/** What comes of a case of that need, when it is not simply done. */
function refusal(need: Need, kind: Kind): number | null {
  const restrictions = kind.restrictions?.({} as Place) ?? {}
  const isNarrowed = Object.keys(restrictions).length > 0
  if (need === 'admin' && (isNarrowed || kind.client !== admin)) return 403
  if (need === 'account' && isNarrowed) return 403
  const ofRecords = 'namePatterns' in restrictions || 'recordTypes' in restrictions
  if (!ofRecords) return null
  if (need === 'assignment') return 404
  return need === 'whole' ? 403 : null
}

for (const [at, kind] of KINDS.entries()) {
  void t.test(`a token of ${kind.title}`, async (t) => {
    const place = await prepare(`k${at}`)
    const restrictions = kind.restrictions?.(place)
    const send = sender(await tokenOf(kind.client, PERMISSIONS, restrictions))
    const hidden = kind.hidden(place)
    const check = ({ status, body }: Answer, expected: number, what: string) => {
      t.equal(status, expected, `${what}: ${JSON.stringify(body).slice(0, 200)}`)
      const text = JSON.stringify(body)
      t.same(
        hidden.filter((mark) => text.includes(mark)),
        [],
        `${what} tells of nothing hidden`,
      )
    }
    const others = async () =>
      JSON.stringify([
        (await owner.get(`/api/domains/${place.other}/records`)).body.records,
        (await owner.get(`/api/domains/${place.other}`)).body,
        (await owner.get(`/api/assignments?domainId=${place.other}`)).body,
        await database.db.selectFrom('records').selectAll().where('id', '=', place.secret).execute(),
      ])
    const before = await others()
    for (const one of CASES) {
      if (restrictions && 'domainIds' in restrictions && one.ofDomain) {
        check(await send(one, place, true), refusal(one.need, kind) ?? 404, `${one.operation}, other domain`)
      }
      const isHidden = restrictions && !('domainIds' in restrictions) && one.ofRecord
      if (isHidden)
        check(await send(one, { ...place, record: place.secret }), 404, `${one.operation}, hidden`)
    }
    t.equal(await others(), before, 'nothing else was changed')
    for (const one of CASES) {
      const done = [one.done].flat().at(kind.client === admin ? -1 : 0) ?? 0
      check(await send(one, place), refusal(one.need, kind) ?? done, one.operation)
    }
  })
}
