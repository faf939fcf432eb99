import { Type } from '@sinclair/typebox'
import { RECORD_TYPES, RecordType } from '../../schemas/record-type.ts'
import { Label, Nullable, Timestamp, Uuid } from '../../schemas/scalars.ts'

/** Values of any kind of credential; each provider's own schema is applied where the provider is known. */
export const Credentials = Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 8192 }), {
  maxProperties: 20,
  description: 'As `credentialSchema` of the provider says',
  examples: [{ apiUrl: 'http://127.0.0.1:8081', apiKey: 'a-long-random-key', serverId: 'localhost' }],
})

const MaskedCredentials = Type.Record(Type.String(), Type.String(), {
  description: 'Secrets are masked',
  examples: [{ apiUrl: 'http://127.0.0.1:8081', apiKey: '••••9f2c', serverId: 'localhost' }],
})

export const CatalogueEntry = Type.Object({
  id: Uuid,
  key: Type.String({ examples: ['powerdns'] }),
  name: Type.String({ examples: ['PowerDNS'] }),
  credentialSchema: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description:
      'JSON Schema of the credentials, with titles: enough to draw the form. Secrets are writeOnly.',
    examples: [
      { type: 'object', required: ['apiUrl'], properties: { apiUrl: { type: 'string', title: 'API URL' } } },
    ],
  }),
  capabilities: Type.Object({
    recordTypes: Type.Array(RecordType, { examples: [[...RECORD_TYPES]] }),
    identity: Type.String({ description: '`record-id` or `rrset`', examples: ['rrset'] }),
    batch: Type.String({ description: '`none`, `best-effort` or `atomic`', examples: ['atomic'] }),
    maxBatch: Type.Integer({ examples: [1000] }),
    proxied: Type.Boolean({ examples: [false] }),
    comments: Type.Boolean({ examples: [true] }),
    minTtl: Type.Integer({ examples: [1] }),
    maxTtl: Type.Integer({ examples: [2147483647] }),
    apexCname: Type.Boolean({ examples: [false] }),
    createZone: Type.Boolean({ examples: [true] }),
    deleteZone: Type.Boolean({ examples: [true] }),
    truth: Type.String({
      description: '`provider`, or `local` where there is no upstream',
      examples: ['provider'],
    }),
  }),
})

export const Catalogue = Type.Object({ providers: Type.Array(CatalogueEntry) })

export const ProviderConfig = Type.Object({
  id: Uuid,
  providerId: Uuid,
  providerKey: Type.String({ examples: ['powerdns'] }),
  name: Type.String({ examples: ['Own name servers'] }),
  ownerId: Uuid,
  credentials: MaskedCredentials,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const ProviderConfigs = Type.Object({ providerConfigs: Type.Array(ProviderConfig) })

const Name = Label(100, ['Own name servers'])

export const CreateConfigBody = Type.Object({
  providerId: Uuid,
  name: Name,
  credentials: Type.Optional(Credentials),
})

export const UpdateConfigBody = Type.Partial(Type.Object({ name: Name, credentials: Credentials }))

export const TestReport = Type.Object({
  success: Type.Boolean({ examples: [true] }),
  code: Nullable(Type.String({ description: 'As in errors', examples: ['provider_auth_failed'] })),
  error: Nullable(Type.String({ examples: ['PowerDNS refused the API key'] })),
})
