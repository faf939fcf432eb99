import { Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT, type Refusal, type RRsetEdit } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'API token',
    'Create it in the Hetzner Console, in the project that contains the zones, under Security → API tokens. It is shown only once',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000014',
  key: 'hetzner',
  name: 'Hetzner',
  apiUrl: 'https://api.hetzner.cloud/v1',
  credentials,
  rights: 'A token with the permission Read & Write for the project that contains the zones.',
  rates: [{ calls: 3600, seconds: 3600 }],
  parallelWrites: 4,
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DS TLSA SVCB HTTPS HINFO RP')],
    identity: 'rrset',
    comments: true,
    minTtl: 60,
    // The default of new zones; a zone may have another.
    defaultTtl: 86_400,
    txt: ANY_TEXT,
    nullMx: true,
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => edits.flatMap(auditEdit),
  load: () => import('./adapter.ts'),
})

const OWN_SERVER = /\.ns\.hetzner\.(com|de)$/

/** Hetzner's own name servers must stay at the apex; others may be added. */
function auditEdit({ name, type, changes }: RRsetEdit, edit: number): Refusal[] {
  if (name !== '@' || type !== 'NS') return []
  return changes.flatMap((one, change): Refusal[] => {
    const taken = one.action === 'add' ? null : one.action === 'remove' ? one.member.value : one.from.value
    const isKept = one.action === 'replace' && one.to.value === taken
    if (taken === null || isKept || !OWN_SERVER.test(taken)) return []
    const message = `must keep ${taken}, one of Hetzner's own name servers`
    return [{ edit, change, field: 'value', code: 'own_name_server', message }]
  })
}
