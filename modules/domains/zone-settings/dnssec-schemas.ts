import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { Fields } from '../../../schemas/record.ts'

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
