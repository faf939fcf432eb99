import { Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { auditValues } from '../../shared/audits.ts'
import { splitCaa } from '../../shared/spelling/split-data.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiKey: Secret(
    'API key',
    'Find the key of the account in the dashboard under Account settings → API. The key of a storage zone does not work',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

const CAA_TAGS = ['issue', 'issuewild', 'iodef']

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000023',
  key: 'bunny',
  name: 'bunny.net',
  apiUrl: 'https://api.bunny.net',
  credentials,
  rights: 'The API key of the account. bunny.net has no restricted keys.',
  parallelWrites: 4,
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR TLSA SVCB HTTPS')],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    comments: true,
    disabledRecords: true,
    minTtl: 15,
    maxTtl: 86_400,
    defaultTtl: 300,
    txt: { beyondAscii: true },
    nullMx: true,
    apexCname: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) =>
    auditValues(edits, ({ value }, { type }) => {
      if (type !== 'CAA' || CAA_TAGS.includes(splitCaa(value).tag)) return null
      const message = `must have one of the tags ${CAA_TAGS.join(', ')}: bunny.net does not accept others`
      return { field: 'value', code: 'caa_tag', message }
    }),
  load: () => import('./adapter.ts'),
})
