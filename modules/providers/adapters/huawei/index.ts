import { Type } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES } from '../../capabilities.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const DEFAULT_REGION = 'cn-north-4'

export const ownUrl = (region: string): string => `https://dns.${region}.myhuaweicloud.com`

const credentials = {
  accessKey: PlainText('Access key (AK)', 'Create it in the console under My Credentials → Access Keys'),
  secretKey: Secret('Secret key (SK)', 'Find it in the file that is downloaded when you create the key'),
  region: Type.String({
    title: 'Region',
    description:
      'Region of the API address, such as cn-north-4 or ap-southeast-1. All regions have the same public zones',
    pattern: '^[a-z0-9-]+$',
    maxLength: 63,
    default: DEFAULT_REGION,
  }),
  apiUrl: ApiUrl(ownUrl(DEFAULT_REGION)),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000017',
  key: 'huawei',
  name: 'Huawei Cloud DNS',
  credentials,
  rights:
    'A key of an IAM user with the policy DNS FullAccess, or a custom policy with dns:zone:list, dns:zone:get, dns:nameserver:list, dns:recordset:list, get, create, update and delete; to create and delete zones, also dns:zone:create and dns:zone:delete.',
  rates: [{ calls: 100, seconds: 60 }],
  parallelWrites: 4,
  can: {
    recordTypes: BASIC_TYPES,
    identity: 'rrset',
    routing: true,
    minTtl: 1,
    defaultTtl: 300,
    // Includes the quotes around each string.
    txt: { maxLength: 4_000, strings: true, without: ['"', '\\'] },
    createZone: true,
    deleteZone: true,
  },
  load: () => import('./adapter.ts'),
})
