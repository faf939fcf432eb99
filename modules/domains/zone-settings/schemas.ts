import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { Fields } from '../../../schemas/records/record.ts'

const Seconds = Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [3600] })

const soaValues = {
  primary: Type.String({
    minLength: 1,
    maxLength: 1020,
    description: 'Full name of the primary name server',
    examples: ['ns1.example.net'],
  }),
  mail: Type.String({
    maxLength: 1020,
    description: 'Email address of the responsible person',
    examples: ['hostmaster@example.net'],
  }),
  refresh: Seconds,
  retry: Seconds,
  expire: Seconds,
  minimum: Type.Unsafe<number>({
    ...Seconds,
    description: 'TTL of negative answers',
  }),
  ttl: Seconds,
}

export const SoaBody = Type.Partial(Type.Object(soaValues))

export const SoaAnswer = Type.Object(
  {
    ...soaValues,
    serial: Type.Integer({ description: 'Increases with each change of the zone', examples: [2026010101] }),
  },
  named('Soa'),
)

export const DnssecBody = Type.Object({ signed: Type.Boolean({ examples: [true] }) })

const DS = '35806 13 2 9f42c931b7f9e4dcc3acd897b7f161cc1d26310f2a802be81b3d2c7fc2caccb3'

export const DnssecAnswer = Type.Object(
  {
    signed: Type.Boolean({ examples: [true] }),
    ds: Type.Array(
      Type.Object({
        value: Type.String({ description: 'In zone file format', examples: [DS] }),
        data: Type.Unsafe<(typeof Fields)['static']>({
          ...Fields,
          description: 'The fields as registrars ask for them',
          examples: [{ keyTag: 35806, algorithm: 13, digestType: 2, digest: DS.split(' ')[3] }],
        }),
      }),
      { description: 'DS records for the parent zone; one is enough' },
    ),
  },
  named('Dnssec'),
)
