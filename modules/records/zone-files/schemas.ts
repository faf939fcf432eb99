import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { Keep } from '../change-schemas.ts'

const Format = Type.Unsafe<'bind'>({
  ...named('ZoneFormat'),
  type: 'string',
  enum: ['bind'],
  description:
    'A zone file (RFC 1035 section 5), the only form. The command line converts octoDNS YAML: `zonekeeper import` and `zonekeeper export`',
  examples: ['bind'],
})

export const ZoneQuery = Type.Object({ format: Type.Optional(Format) })

export const PutZoneQuery = Type.Object({
  format: Type.Optional(Format),
  apply: Type.Boolean({
    default: false,
    description: 'Do it, instead of only answering the plan',
    examples: [false],
  }),
  keep: Keep,
})

export const ZoneHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'The `ETag` of the zone that the file was made from: 412 when its records were changed since',
      examples: ['"7.Vd2x0mU1"'],
    }),
  ),
})

/** The zone as a file. */
export const ZoneContent = {
  'text/dns': {
    schema: Type.String({ examples: ['$ORIGIN example.com.\n$TTL 3600\nwww\t300\tIN\tA\t192.0.2.10\n'] }),
  },
}
