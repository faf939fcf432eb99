import { BASIC_TYPES } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import { auditValues, caaWithoutSpace, srvWithServer } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'Permanent API token',
    'Create it in the customer portal under Profile → API tokens. It is shown only once and may expire',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000002c',
  key: 'gcore',
  name: 'Gcore DNS',
  shortName: 'Gcore',
  apiUrl: 'https://api.gcore.com/dns/v2',
  credentials,
  rights: 'A permanent API token of a user whose role may change DNS zones.',
  can: {
    recordTypes: BASIC_TYPES,
    identity: 'rrset',
    // The documentation does not say it; its examples and lego's default have no less.
    minTtl: 120,
    defaultTtl: 300,
    // Neither longer texts nor quotes in them are documented.
    txt: { maxLength: 255, without: ['"', '\\'] },
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) =>
    auditValues(edits, (member, edit) => whyNotSrv(member, edit) ?? whyNotCaa(member, edit)),
  load: () => import('./adapter.ts'),
})

const whyNotSrv = srvWithServer('Gcore')
const whyNotCaa = caaWithoutSpace('Gcore')
