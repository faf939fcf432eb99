import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { Keep } from '../change-schemas.ts'
import type { ZoneFormat } from './service.ts'

const Format = Type.Unsafe<ZoneFormat>({
  ...named('ZoneFormat'),
  type: 'string',
  enum: ['bind', 'octodns'],
  description:
    "A master file (RFC 1035 section 5), or octoDNS' YAML; missing: by `Accept`, or by the `Content-Type` of a body",
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

const text = (example: string) => ({ schema: Type.String({ examples: [example] }) })

/** The zone, in either form. */
export const ZoneContent = {
  'text/dns': text('$ORIGIN example.com.\n$TTL 3600\nwww\t300\tIN\tA\t192.0.2.10\n'),
  'application/yaml': text('---\nwww:\n  ttl: 300\n  type: A\n  value: 192.0.2.10\n'),
}
