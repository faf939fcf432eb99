import { Type } from '@sinclair/typebox'
import { typeOf } from '../../../../dns/types/index.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { PlainText, Secret } from '../../client/fields.ts'
import { ANY_TEXT } from '../../contract.ts'
import { auditValues } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  accessKeyId: PlainText(
    'Access key ID',
    'Create it in the AWS console under IAM → Users → a user → Security credentials → Access keys',
  ),
  secretAccessKey: Secret('Secret access key', 'Belongs to the ID; it is shown only once'),
  sessionToken: Type.Optional(Secret('Session token', 'Only for temporary credentials, which expire')),
  region: Type.Optional(
    PlainText(
      'Signing region',
      'Only if it differs from the region of the API address, which is us-east-1 for AWS itself',
    ),
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

/** Maximum characters of a value, as sent. */
const MAX_VALUE = 4_000

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000013',
  key: 'route53',
  name: 'AWS Route 53',
  apiUrl: 'https://route53.amazonaws.com/2013-04-01',
  credentials,
  rights:
    'A user or role for this service only, with the policy actions route53:ListHostedZones, ListHostedZonesByName, GetChange (for all resources), GetHostedZone, GetDNSSEC, ListResourceRecordSets and ChangeResourceRecordSets (for the hosted zones); to create and delete zones, also CreateHostedZone and DeleteHostedZone.',
  // 50 at once, then 10 per second.
  rates: [{ calls: 200, seconds: 15 }],
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DS TLSA SSHFP NAPTR SVCB HTTPS')],
    identity: 'rrset',
    batch: 'atomic',
    // A call has at most 1,000 records and 32,000 characters of values, including the previous state of each
    // set. This many sets of usual size fit.
    maxBatch: 250,
    maxBatchValues: 400,
    maxBatchLength: 12_000,
    routing: true,
    // Sets are replaced one by one, but Route 53 refuses a change of a zone while it processes another.
    writeUnit: 'zone',
    minTtl: 0,
    defaultTtl: 300,
    txt: { ...ANY_TEXT, maxLength: MAX_VALUE },
    nullMx: true,
    apexNs: true,
    createZone: true,
    soa: 'write',
    dnssec: 'read',
    deleteZone: true,
  },
  audit: (_, edits) =>
    auditValues(edits, ({ value }, { type }) => {
      const { length } = typeOf(type).write(value)
      if (length <= MAX_VALUE) return null
      const message = `must not be longer than ${MAX_VALUE.toLocaleString('en')} characters for AWS Route 53; with its quotes and escapes it has ${length.toLocaleString('en')}`
      return { field: 'value', code: 'value_too_long', message }
    }),
  load: () => import('./adapter.ts'),
})
