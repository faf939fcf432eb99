import { inDays, type Person } from './service.ts'

const CONFIRM_MINUTES = 60

/** One change of the domain waits for its time, and one for its confirmation. */
export async function changeLater(by: Person, domain: string): Promise<void> {
  const create = (name: string, value: string) => ({
    action: 'create',
    recordType: 'A',
    name,
    value,
    ttl: 300,
  })
  const apply = (changes: object[], more: object) =>
    by.post(`/api/domains/${domain}/records/apply`, { changes, ...more })
  await apply([create('new', '192.0.2.120'), create('old', '192.0.2.121')], {
    applyAt: inDays(2),
    confirmWithin: 15,
  })
  await apply([create('portal', '192.0.2.122')], { confirmWithin: CONFIRM_MINUTES })
}

/** Monitors of the apex: one whose primary works, and one whose primary does not answer. `receiver`: a web server. */
export async function watchNames(
  by: Person,
  { working, failing, receiver }: { working: string; failing: string; receiver: string },
): Promise<void> {
  const { hostname, port } = new URL(receiver)
  for (const [domain, primary] of [
    [working, hostname],
    // Nothing listens there.
    [failing, '127.0.0.9'],
  ] as const) {
    const { records } = await by.get(`/api/domains/${domain}/records?type=A&limit=20`)
    const apex = (records as { name: string; value: string }[]).filter(({ name }) => name === '@')
    await by.post(`/api/domains/${domain}/failover-monitors`, {
      name: '@',
      recordType: 'A',
      alternatives: [
        { name: 'primary', values: apex.map(({ value }) => value), targets: [primary] },
        { name: 'backup', values: ['198.51.100.20'], targets: [hostname] },
      ],
      check: { kind: 'http', port: Number(port), path: '/health', status: [204], timeoutSeconds: 2 },
      intervalSeconds: 10,
      failures: 1,
      successes: 2,
    })
  }
}
