import cloudflare from '../../../modules/providers/adapters/cloudflare/index.ts'
import desec from '../../../modules/providers/adapters/desec/index.ts'
import digitalocean from '../../../modules/providers/adapters/digitalocean/index.ts'
import type { Provider } from '../../../modules/providers/contract.ts'
import type { Answer, Client } from '../../helpers/app.ts'
import { idOf } from '../../helpers/zone.ts'
import cloudflareDialect from '../../conformance/simulators/cloudflare.ts'
import desecDialect from '../../conformance/simulators/desec.ts'
import digitalOceanDialect from '../../conformance/simulators/digitalocean.ts'
import { startSimulator } from '../../conformance/simulators/simulator.ts'

interface Owner {
  teardown(end: () => unknown): void
}

/** A configuration of the client's. Answers its id. */
export const addConfig = async (
  client: Client,
  { id, name }: Provider,
  credentials: object,
  more: object = {},
) => idOf(await client.post('/api/provider-configs', { providerId: id, name, credentials, ...more }))

/** Hosts to move to, each with a configuration of the client's. */
export async function startHosts(t: Owner, client: Client) {
  const [cloud, de, ocean] = await Promise.all([
    startSimulator(cloudflareDialect),
    startSimulator(desecDialect),
    startSimulator(digitalOceanDialect),
  ])
  for (const fake of [cloud, de, ocean]) t.teardown(() => fake.close())
  const { accountId } = cloud
  return {
    cloudflare: cloud,
    desec: de,
    digitalocean: ocean,
    ids: {
      cloudflare: await addConfig(client, cloudflare, {
        apiUrl: cloud.apiUrl,
        apiToken: cloud.token,
        accountId,
      }),
      desec: await addConfig(client, desec, { apiUrl: de.apiUrl, apiToken: de.token }),
      digitalocean: await addConfig(client, digitalocean, { apiUrl: ocean.apiUrl, apiToken: ocean.token }),
    },
  }
}

type Conflict = { code: string; detail: string; recordId: string | null; errors?: { code: string }[] }

/** What stands against it, as "name type: codes", sorted. */
export const refusalsOf = (conflicts: (Conflict & { params: { name: string; recordType: string } })[]) =>
  conflicts
    .map(({ params, errors, code }) => {
      const codes = errors?.map((error) => error.code) ?? [code]
      return `${params.name} ${params.recordType}: ${codes.join(', ')}`
    })
    .sort()

/** Its warnings by code, with how many there are of each. */
export const warningsOf = ({ body }: Answer): Record<string, number> => {
  const codes = (body.plan.warnings as { code: string }[]).map(({ code }) => code)
  return Object.fromEntries(
    [...new Set(codes)].sort().map((code) => [code, codes.filter((each) => each === code).length]),
  )
}
