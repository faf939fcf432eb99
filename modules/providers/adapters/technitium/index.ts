import type { RecordType } from '../../../../dns/types/index.ts'
import { HttpUrl, Secret } from '../../client/fields.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'
import { audit, PARAMETERS } from './words.ts'

const credentials = {
  apiUrl: HttpUrl(
    'API address',
    'Address of the web console of the DNS server, or of a proxy in front of it',
    'http://dns.example.com:5380/api',
  ),
  apiToken: Secret(
    'API token',
    'Create it in the web console in the menu of a user → Create API Token. It has all permissions of that user',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000021',
  key: 'technitium',
  name: 'Technitium DNS Server',
  shortName: 'Technitium',
  credentials,
  rights:
    'A token of a user with the permission View of the section Zones, and View, Modify and Delete of your zones. To create and delete zones, also Modify and Delete of the section.',
  can: {
    recordTypes: Object.keys(PARAMETERS) as RecordType[],
    identity: 'rrset',
    // Sets have no ids, but each value is written alone.
    writeUnit: 'record',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    comments: true,
    disabledRecords: true,
    minTtl: 0,
    defaultTtl: 3600,
    nullMx: true,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
  },
  audit,
  load: () => import('./adapter.ts'),
})
