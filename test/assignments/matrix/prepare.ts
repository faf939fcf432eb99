import type { Test } from 'tap'
import { PERMISSIONS } from '../../../schemas/people/permission.ts'
import { call, startApp, type Client } from '../../helpers/app.ts'
import { addDomain, addManual, idOf } from '../../helpers/zone.ts'
import { label, TARGETS, type Holder, type Target } from '../model.ts'

/** Every path to a domain and its records, on records inside and outside of an assignment; see model.ts. */

export interface Row {
  name: string
  recordType: string
  id: string
  value: string
  ttl: number
}

export interface Item {
  before: Row | null
  after: Row | null
}

/** A and TXT in turns. */
export const ONE_OF_EACH_NAME = TARGETS.filter((_, at) => [0, 3].includes(at % 4))

/** Who may write nothing is refused before it is looked at what: to see that, a few targets are enough. */
export const written = (holder: Holder, targets: Target[]) =>
  holder.writing === 200 ? targets : targets.slice(0, 3)

const valueOf = ({ type }: Target, mark: string) => (type === 'A' ? '192.0.2.1' : `text of ${mark}`)
export const sorted = (labels: string[]) => labels.toSorted()
export const labelOf = ({ name, recordType }: { name: string; recordType: string }) => `${name} ${recordType}`
export const labels = (rows: { name: string; recordType: string }[]) => sorted(rows.map(labelOf))
export const itemLabels = (items: Item[]) =>
  sorted(items.map(({ before, after }) => labelOf((after ?? before) as Row)))
export const seenOf = (holder: Holder) => sorted(holder.seen)

/** Who calls: somebody who signed in, or a program. */
export type Program = Pick<Client, 'get' | 'post' | 'put' | 'delete'>

/** A service with an owner of domains, and what makes a case of each holder. */
export async function startMatrix(t: Test) {
  const { app, admin, addUser, signIn, database } = await startApp(t)
  await addUser('owner')
  const owner = await signIn('owner')
  const config = await addManual(owner)

  /**
   * A domain of the owner's with every target, a user who has that assignment of it, and a token of theirs. With
   * `restrictions` it is the owner's own token that is narrowed so.
   */
  async function prepare(holder: Holder, at: number, restrictions?: object) {
    const mark = `mark${at}x`
    const domain = await addDomain(owner, config, `${mark}.example`)
    const url = `/api/domains/${domain.id}`
    const records = TARGETS.map((target) => ({
      recordType: target.type,
      name: target.name,
      value: valueOf(target, mark),
      ttl: 300,
    }))
    await owner.post(`${url}/records/bulk`, { records })
    const { body: hidden } = await owner.post(`${url}/records`, {
      recordType: 'A',
      name: 'other',
      value: '192.0.2.9',
    })
    await owner.delete(`${url}/records/${hidden.id}`)
    await addUser(mark)
    const user = restrictions ? owner : await signIn(mark)
    const assigned = restrictions ? [] : holder.given.filter((given) => given.pattern !== 'none')
    for (const { pattern, permission } of assigned) {
      const id = idOf(
        await owner.post('/api/assignments', {
          userId: user.userId,
          domainId: domain.id,
          permission: permission === 'read' ? 'read' : 'write',
          recordTypes: permission === 'write A' ? ['A'] : null,
          subdomainPattern: pattern === 'expired' ? '*' : pattern,
        }),
      )
      if (pattern === 'expired') {
        const past = new Date(Date.now() - 1000)
        await database.db.updateTable('assignments').set({ expires_at: past }).where('id', '=', id).execute()
      }
    }
    const created = await user.post('/api/auth/me/tokens', {
      name: 'all',
      permissions: PERMISSIONS,
      ...(restrictions && { restrictions: { ...restrictions, domainIds: [domain.id] } }),
    })
    const rows = (await owner.get(`${url}/records?limit=200`)).body.records as Row[]
    return {
      app,
      admin,
      owner,
      config,
      holder,
      mark,
      domain,
      url,
      user,
      token: created.body.token as string,
      idOf: (target: Target) => rows.find((row) => labelOf(row) === label(target))?.id as string,
      all: async () => (await owner.get(`${url}/records?limit=200`)).body.records as Row[],
    }
  }

  return prepare
}

export type Case = Awaited<ReturnType<Awaited<ReturnType<typeof startMatrix>>>>

/** A client of the Open API that can be used like one that signed in. */
export function openApi({ app, token }: Case): Program {
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') => (url: string, payload?: unknown) =>
    call(app, {
      method,
      url: url.replace('/api/', '/api/v1/'),
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload: payload as object }),
    })
  return {
    get: (url) => send('GET')(url),
    post: send('POST'),
    put: send('PUT'),
    delete: (url) => send('DELETE')(url),
  }
}
