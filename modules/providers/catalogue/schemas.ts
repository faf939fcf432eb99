import { Type } from '@sinclair/typebox'
import type { DataValue, FieldInfo, RecordTypeDefinition } from '../../../dns/types/index.ts'
import { named } from '../../../schemas/named.ts'
import { RecordType } from '../../../schemas/records/record-type.ts'
import { Uuid } from '../../../schemas/scalars.ts'

const KINDS = [
  'integer',
  'decimal',
  'ipv4',
  'ipv6',
  'name',
  'hex',
  'base64',
  'text',
  'types',
  'prefixes',
  'parameters',
  'coordinate',
] as const satisfies FieldInfo['kind'][]

const Field = Type.Unsafe<FieldInfo>(
  Type.Object(
    {
      name: Type.String({ description: 'In `data`', examples: ['priority'] }),
      kind: Type.Unsafe<FieldInfo['kind']>({
        ...named('RecordFieldKind'),
        type: 'string',
        enum: KINDS,
        description:
          'Type in `data`: a number for integer and decimal, a list of strings for types and prefixes, an object for parameters, otherwise a string',
        examples: ['integer'],
      }),
      title: Type.String({ examples: ['Priority'] }),
      help: Type.Optional(Type.String({ examples: ['The lowest is tried first'] })),
      minimum: Type.Optional(Type.Number({ examples: [0] })),
      maximum: Type.Optional(Type.Number({ examples: [65535] })),
      choices: Type.Optional(
        Type.Array(
          Type.Object({
            value: Type.Unsafe<string | number>({ description: 'A number or string', examples: [3] }),
            title: Type.String({ examples: ["DANE-EE: only the server's certificate"] }),
          }),
          {
            description:
              'Usual values; for `parameters` their keys. Other values in the range are accepted too',
          },
        ),
      ),
      example: Type.Unsafe<DataValue>({ description: 'A value in the form of `data`', examples: [10] }),
    },
    named('RecordField'),
  ),
)

export const RecordTypes = Type.Object({
  recordTypes: Type.Array(
    Type.Object(
      {
        type: RecordType,
        title: Type.String({ examples: ['Mail server'] }),
        help: Type.String({ examples: ['A server that accepts mail for the name'] }),
        rfc: Type.String({ description: 'The defining RFC', examples: ['RFC 1035 section 3.3.9'] }),
        readOnly: Type.Boolean({ description: 'Read-only, created by others', examples: [false] }),
        place: Type.Unsafe<RecordTypeDefinition['place']>({
          type: 'string',
          enum: ['any', 'apex', 'below'],
          description: 'Where it is allowed in a zone: anywhere, at the apex only, anywhere except the apex',
          examples: ['any'],
        }),
        example: Type.String({ description: 'A `value`', examples: ['10 mail.example.com'] }),
        fields: Type.Array(Field),
        providers: Type.Array(Type.String({ examples: ['powerdns'] }), {
          description: 'Keys of the kinds of DNS providers that support it',
        }),
        providerConfigIds: Type.Array(Uuid, {
          description: "The caller's provider connections that support it",
        }),
      },
      named('RecordTypeInfo'),
    ),
  ),
})
