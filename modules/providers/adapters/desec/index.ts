import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret('Token', 'Create it in the web interface under Token Management. It is shown only once'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000011',
  key: 'desec',
  name: 'deSEC',
  apiUrl: 'https://desec.io/api/v1',
  credentials,
  rights:
    'A token that may write RRsets; a token with policies needs them for your domains. To create and delete domains it needs perm_create_domain and perm_delete_domain. A token limited to networks must allow the network of this service.',
  rates: [
    { calls: 10, seconds: 1, of: 'read' },
    { calls: 50, seconds: 60, of: 'read' },
    // And 15 a minute, 100 an hour, 300 a day: its answers tell when these are used up.
    { calls: 2, seconds: 1, of: 'write', each: 'zone' },
  ],
  can: {
    // deSEC itself writes the SOA and the keys of the zone (DNSKEY, CDS, CDNSKEY).
    recordTypes: [
      ...BASIC_TYPES,
      ...typesIn('PTR DNAME DS TLSA SMIMEA SSHFP OPENPGPKEY NAPTR SVCB HTTPS LOC URI HINFO RP CERT APL'),
      ...typesIn('EUI48 EUI64 AFSDB DHCID KX'),
    ],
    identity: 'rrset',
    batch: 'atomic',
    maxBatch: 500,
    // Of nearly all domains. Some allow less, and say so.
    minTtl: 3600,
    maxTtl: 86_400,
    defaultTtl: 3600,
    txt: ANY_TEXT,
    nullMx: true,
    apexNs: true,
    createZone: true,
    dnssec: 'read',
    deleteZone: true,
  },
  load: () => import('./adapter.ts'),
})
