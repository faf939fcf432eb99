import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  applicationKey: PlainText(
    'Application key',
    'Create it together with the other two at eu.api.ovh.com/createToken',
  ),
  applicationSecret: Secret('Application secret', 'It is shown only once, when you create the keys'),
  consumerKey: Secret(
    'Consumer key',
    'Identifies the account, and limits what may be done there and for how long',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000020',
  key: 'ovh',
  name: 'OVHcloud',
  apiUrl: 'https://eu.api.ovh.com/1.0',
  credentials,
  rights:
    'Keys with GET on /domain/zone, and with GET, POST, PUT and DELETE on /domain/zone/*, or on /domain/zone/<name>/* for your zones.',
  parallelWrites: 4,
  can: {
    // TXT includes SPF, DKIM and DMARC, which OVH has as types of their own.
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DNAME TLSA SSHFP NAPTR SVCB HTTPS LOC RP')],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    automaticTtl: true,
    minTtl: 60,
    defaultTtl: 3_600,
    txt: ANY_TEXT,
    nullMx: true,
    apexNs: true,
  },
  load: () => import('./adapter.ts'),
})
