import { RCODE } from '../../../dns/wire/message.ts'
import type { TestApp } from '../../helpers/app.ts'
import { record, startDnsServer, type Reply } from '../../helpers/dns-server.ts'
import { addPowerDns, idOf, startFake, startZone } from '../../helpers/zone.ts'

interface Owner {
  teardown(end: () => unknown): void
}

export const OLD = ['ns1.old.test', 'ns2.old.test']
export const NEW = ['ns1.new.test', 'ns2.new.test']

const ZONE = 'example.com'

/** The servers of "com", which delegate example.com to `names`; a service asks them with these options. */
export async function startParent(t: Owner) {
  const parent = {
    /** Empty: not delegated. */
    names: OLD,
    isUp: true,
  }
  const { port } = await startDnsServer(
    t,
    (): Reply => {
      if (!parent.isUp) return { rcode: RCODE.REFUSED }
      if (parent.names.length === 0) return { rcode: RCODE.NXDOMAIN, isAuthoritative: true }
      return { authorities: parent.names.map((name) => record(ZONE, 'NS', name)) }
    },
    { address: '127.0.0.41' },
  )
  const resolver = await startDnsServer(t, ({ questions: [question] }): Reply => {
    if (question?.name === 'com' && question.type === 2)
      return { answers: [record('com', 'NS', 'ns.parent.test')] }
    if (question?.name === 'ns.parent.test' && question.type === 1)
      return { answers: [record('ns.parent.test', 'A', '127.0.0.41')] }
    return { rcode: RCODE.NXDOMAIN }
  })
  const options = { environment: { DNS_RESOLVERS: `127.0.0.1:${resolver.port}` }, nameServerPort: port }
  return Object.assign(parent, { options })
}

const apex = (names: readonly string[]) => [
  {
    name: `${ZONE}.`,
    type: 'NS',
    ttl: 3600,
    changetype: 'REPLACE',
    records: names.map((name) => ({ content: `${name}.`, disabled: false })),
  },
]

/** A domain at one provider, and a second one, `second`, that has an empty zone for it; each has name servers of its own. */
export async function startTwoProviders(t: Owner, app: TestApp) {
  const zone = await startZone(t, { app })
  const second = await startFake(t)
  second.createZone(ZONE)
  zone.fake.patch(ZONE, apex(OLD))
  second.patch(ZONE, apex(NEW))
  const secondId = await addPowerDns(zone.admin, second, 'second')
  const { status, body } = await zone.admin.post(`/api/domains/${zone.domainId}/sync`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return {
    ...zone,
    second,
    secondId,
    addMirror: async () =>
      idOf(await zone.admin.post(`/api/domains/${zone.domainId}/mirrors`, { providerConfigId: secondId })),
  }
}
