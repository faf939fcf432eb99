import { Type } from '@sinclair/typebox'
import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import { ANY_TEXT, type Member, type RRsetEdit } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'API token',
    'Create it in the dashboard under My Profile → API Tokens, or Manage Account → Account API Tokens. The Global API Key does not work',
  ),
  accountId: Type.Optional(
    PlainText(
      'Account ID',
      'Limits the list to the zones of this account, and creates new zones there. Required to create zones',
    ),
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

/** Changes in one transaction on the smallest plan. */
export const MAX_BATCH = 200

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000010',
  key: 'cloudflare',
  name: 'Cloudflare',
  apiUrl: 'https://api.cloudflare.com/client/v4',
  credentials,
  rights:
    'A token with Zone → Zone → Read and Zone → DNS → Edit for your zones. To create and delete zones, also Zone → Zone → Edit for the account.',
  rates: [{ calls: 1200, seconds: 300 }],
  can: {
    recordTypes: [
      ...BASIC_TYPES,
      ...typesIn('PTR DS DNSKEY TLSA SMIMEA SSHFP OPENPGPKEY NAPTR SVCB HTTPS LOC URI CERT'),
    ],
    identity: 'record-id',
    batch: 'atomic',
    maxBatch: MAX_BATCH,
    maxBatchValues: MAX_BATCH,
    proxied: true,
    comments: true,
    automaticTtl: true,
    // 30 on the Enterprise plan.
    minTtl: 60,
    maxTtl: 86_400,
    defaultTtl: 300,
    ttlByPlan: true,
    txt: ANY_TEXT,
    nullMx: true,
    apexCname: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => auditValues(edits, whyNotProxied),
  load: () => import('./adapter.ts'),
})

const PROXIED: readonly RecordType[] = ['A', 'AAAA', 'CNAME']

function whyNotProxied({ proxied }: Member, { type }: RRsetEdit) {
  if (proxied !== true || PROXIED.includes(type)) return null
  const message = `must be one of ${PROXIED.join(', ')}, the only types that Cloudflare proxies`
  return { field: 'type', code: 'proxy_type', message } as const
}
