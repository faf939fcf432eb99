import { Type } from '@sinclair/typebox'
import { PlainText } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { aliasAtApex, auditValues } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  serviceAccount: Type.String({
    title: 'Key of a service account',
    description:
      'The whole JSON file. Create it in the console under IAM & Admin → Service Accounts → an account → Keys → Add key',
    pattern: '"private_key"',
    maxLength: 16_384,
    writeOnly: true,
  }),
  project: Type.Optional(
    PlainText('Project ID', 'Only if the zones are in a different project than the service account'),
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000018',
  key: 'google',
  name: 'Google Cloud DNS',
  apiUrl: 'https://dns.googleapis.com/dns/v1',
  credentials,
  rights:
    'A service account with a role that has dns.managedZones.list and get, dns.resourceRecordSets.*, dns.changes.create and get, and for DNSSEC dns.managedZones.update and dns.dnsKeys.list; to create and delete zones, also dns.managedZones.create and delete. The role DNS Administrator has all of them.',
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DS TLSA SSHFP NAPTR SVCB HTTPS ALIAS')],
    identity: 'rrset',
    batch: 'atomic',
    // Google allows 1,000 deleted and 1,000 added sets, with 100,000 characters of data.
    maxBatch: 250,
    maxBatchLength: 40_000,
    minTtl: 0,
    defaultTtl: 300,
    txt: ANY_TEXT,
    nullMx: true,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
  },
  audit: (_, edits) =>
    auditValues(edits, aliasAtApex('must be @: Google Cloud DNS accepts an ALIAS at the apex only')),
  load: () => import('./adapter.ts'),
})
