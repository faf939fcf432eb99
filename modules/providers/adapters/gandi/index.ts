import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import { ANY_TEXT } from '../../contract.ts'
import { aliasAtApex, auditValues } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'Personal access token',
    'Create it in the organization that has the domains, under Sharing → Personal Access Token. It is shown only once and expires on the date chosen there',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000001a',
  key: 'gandi',
  name: 'Gandi LiveDNS',
  shortName: 'Gandi',
  apiUrl: 'https://api.gandi.net/v5/livedns',
  credentials,
  rights:
    'A personal access token with "See and renew domain names" and "Manage domain name technical configurations" for your domains.',
  rates: [{ calls: 1000, seconds: 60 }],
  parallelWrites: 4,
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DNAME DS CDS TLSA SSHFP OPENPGPKEY NAPTR LOC RP ALIAS')],
    identity: 'rrset',
    minTtl: 300,
    maxTtl: 2_592_000,
    defaultTtl: 10_800,
    txt: ANY_TEXT,
    nullMx: true,
    apexAlias: true,
    createZone: true,
  },
  audit: (_, edits) => auditValues(edits, aliasAtApex('must be @ for an ALIAS at Gandi')),
  load: () => import('./adapter.ts'),
})
