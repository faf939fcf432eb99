import { startZone, type Zone } from '../helpers/zone.ts'
import type { Client } from '../helpers/app.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** A domain of `olga` under review, with delegates: `wanda` writes it all, `dora` writes *.dev, `rita` reads. */
export interface ReviewedZone extends Zone {
  olga: Client
  wanda: Client
  dora: Client
  rita: Client
  /** Has nothing to do with the domain. */
  mallory: Client
  /** Of its change requests. */
  requests: string
  /** Makes a request, and answers it. */
  ask(client: Client, changes: object[], more?: object): Promise<Asked>
  /** The values of an RRset at the provider, as they are whoever asks. */
  there(name: string, type: string): string[]
}

export interface Asked {
  id: string
  revision: number
  status: string
}

export const record = (name: string, value = '192.0.2.1', recordType = 'A') => ({
  recordType,
  name,
  value,
  ttl: 300,
})

export const create = (...wanted: Parameters<typeof record>) => ({ action: 'create', ...record(...wanted) })

export async function startReviewedZone(
  t: Owner,
  policy: 'none' | 'members' | 'everyone' = 'members',
  options: Parameters<typeof startZone>[1] = {},
): Promise<ReviewedZone> {
  const zone = await startZone(t, options)
  const { admin, addUser, signIn, domainId } = zone
  const names = ['olga', 'wanda', 'dora', 'rita', 'mallory'] as const
  for (const name of names) await addUser(name)
  const [olga, wanda, dora, rita, mallory] = await Promise.all(names.map((name) => signIn(name)))
  const transfer = await admin.post(`/api/domains/${domainId}/transfer`, { userId: olga?.userId })
  if (transfer.status >= 300) throw new Error(JSON.stringify(transfer.body))
  for (const [user, permission, subdomainPattern] of [
    [wanda, 'write', undefined],
    [dora, 'write', '*.dev'],
    [rita, 'read', undefined],
  ] as const) {
    const given = await admin.post('/api/assignments', {
      userId: user?.userId,
      domainId,
      permission,
      ...(subdomainPattern && { subdomainPattern }),
    })
    if (given.status !== 201) throw new Error(JSON.stringify(given.body))
  }
  const set = await admin.put(`/api/domains/${domainId}`, { reviewPolicy: policy })
  if (set.status !== 200) throw new Error(JSON.stringify(set.body))
  const requests = `/api/domains/${domainId}/change-requests`
  return {
    ...zone,
    olga: olga as Client,
    wanda: wanda as Client,
    dora: dora as Client,
    rita: rita as Client,
    mallory: mallory as Client,
    requests,
    async ask(client, changes, more = {}) {
      const answer = await client.post(requests, { title: 'A change', changes, ...more })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body as Asked
    },
  }
}
