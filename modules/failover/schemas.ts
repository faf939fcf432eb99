import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { PageQuery } from '../../schemas/paging.ts'
import { RecordType } from '../../schemas/records/record-type.ts'
import { Label, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'

const MAX_ALTERNATIVES = 4
const MAX_VALUES = 4

export const Name = Type.String({
  maxLength: 255,
  description: 'Relative to the domain; `@` is the apex',
  examples: ['www'],
})
const Seconds = (minimum: number, maximum: number, example: number, description: string) =>
  Type.Integer({ minimum, maximum, description, examples: [example] })
export const Port = Type.Integer({ minimum: 1, maximum: 65_535, examples: [443] })
export const AlternativeName = Label(40, ['primary'])
export const Values = Type.Array(Type.String({ maxLength: 2048 }), {
  minItems: 1,
  maxItems: MAX_VALUES,
  description: 'All values of the RRset while it is served',
  examples: [['192.0.2.1']],
})
const Targets = Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
  minItems: 1,
  maxItems: MAX_VALUES,
  description:
    'Addresses or host names to check instead of the values; required for types other than A, AAAA, CNAME and ALIAS',
  examples: [['192.0.2.1']],
})

const CHECK_KINDS = ['http', 'tcp', 'dns'] as const

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: [example] })

export const check = {
  kind: OneOf(CHECK_KINDS, { ...named('FailoverCheckKind'), examples: ['http'] }),
  port: { ...Port, description: 'By default 80, 443 with `tls`, or 53 for `dns`; required for `tcp`' },
  timeoutSeconds: Seconds(1, 30, 5, 'Of one check; less than the interval'),
  tls: Type.Boolean({ description: '`http`: over TLS', examples: [true] }),
  host: text(
    253,
    '`http`: for the Host header and the certificate; by default the name itself',
    'www.example.com',
  ),
  path: Type.String({
    maxLength: 1000,
    pattern: '^/[!-~]*$',
    description: '`http`: path and query; redirects are not followed',
    examples: ['/health'],
  }),
  status: Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
    maxItems: 10,
    uniqueItems: true,
    description: '`http`: expected status codes; empty: 200 to 399',
    examples: [[200]],
  }),
  contains: text(
    200,
    '`http`: text in the first 64 KiB of the body, compared byte by byte. `dns`: a value in the answer',
    'OK',
  ),
  verifyCertificate: Type.Boolean({
    description: '`http` with `tls`: whether the certificate must be valid for the host',
    examples: [true],
  }),
  certificateDays: Type.Integer({
    minimum: 1,
    maximum: 90,
    description: '`http` with `tls`: fails when the certificate expires in fewer days',
    examples: [7],
  }),
  query: text(253, '`dns`: the name to ask for; by default the domain', 'example.com'),
  queryType: { ...RecordType, description: '`dns`: by default NS', examples: ['NS'] },
}

export const CheckBody = Type.Object(
  {
    kind: check.kind,
    port: Type.Optional(check.port),
    timeoutSeconds: Type.Optional(check.timeoutSeconds),
    tls: Type.Optional(check.tls),
    host: Type.Optional(check.host),
    path: Type.Optional(check.path),
    status: Type.Optional(check.status),
    contains: Type.Optional(check.contains),
    verifyCertificate: Type.Optional(check.verifyCertificate),
    certificateDays: Type.Optional(check.certificateDays),
    query: Type.Optional(check.query),
    queryType: Type.Optional(check.queryType),
  },
  {
    ...named('FailoverCheckSettings'),
    description: 'How each target of an alternative is checked',
    examples: [{ kind: 'http', tls: true, path: '/health', status: [200] }],
  },
)
export type CheckBody = Static<typeof CheckBody>

const Window = Type.Object(
  { from: Timestamp, until: { ...Timestamp, examples: ['2026-11-21T14:00:00.000Z'] } },
  named('MaintenanceWindow'),
)

export const settings = {
  intervalSeconds: Seconds(10, 3600, 30, 'Between two checks'),
  failures: Seconds(1, 10, 3, 'Failed checks in a row after which an alternative is down'),
  successes: Seconds(1, 20, 5, 'Successful checks in a row after which it is up again'),
  holdDownSeconds: Seconds(
    0,
    86_400,
    300,
    'Least time after a switch before one back to a preferred alternative',
  ),
  back: OneOf(['automatic', 'manual'], {
    ...named('FailoverBack'),
    description: 'Whether it returns automatically to a preferred alternative that is up again',
    examples: ['automatic'],
  }),
  maintenance: Type.Array(Window, {
    maxItems: 20,
    description: 'Times in which nothing is switched automatically',
    examples: [[]],
  }),
}

const AlternativeBody = Type.Object(
  { name: AlternativeName, values: Values, targets: Type.Optional(Targets) },
  {
    ...named('FailoverAlternativeSettings'),
    examples: [{ name: 'primary', values: ['192.0.2.1'] }],
  },
)

const Alternatives = Type.Array(AlternativeBody, {
  minItems: 2,
  maxItems: MAX_ALTERNATIVES,
  description: 'The preferred first. The RRset must be one of them now',
})

const optional = {
  intervalSeconds: Type.Optional(settings.intervalSeconds),
  failures: Type.Optional(settings.failures),
  successes: Type.Optional(settings.successes),
  holdDownSeconds: Type.Optional(settings.holdDownSeconds),
  back: Type.Optional(settings.back),
  maintenance: Type.Optional(settings.maintenance),
}

export const CreateBody = Type.Object(
  { name: Name, recordType: RecordType, alternatives: Alternatives, check: CheckBody, ...optional },
  {
    ...named('NewFailoverMonitor'),
    examples: [
      {
        name: 'www',
        recordType: 'A',
        alternatives: [
          { name: 'primary', values: ['192.0.2.1'] },
          { name: 'backup', values: ['198.51.100.1'] },
        ],
        check: { kind: 'http', tls: true, path: '/health' },
        intervalSeconds: 30,
      },
    ],
  },
)
export type CreateBody = Static<typeof CreateBody>

export const Revision = Type.Integer({
  minimum: 1,
  description: 'Rises when the alternatives or the check change',
  examples: [1],
})

export const EditBody = Type.Object(
  {
    revision: Type.Optional({ ...Revision, description: 'Only if it is still at this revision; else 409' }),
    alternatives: Type.Optional(Alternatives),
    check: Type.Optional(CheckBody),
    ...optional,
  },
  { ...named('EditedFailoverMonitor'), examples: [{ intervalSeconds: 60 }] },
)
export type EditBody = Static<typeof EditBody>

export const SwitchBody = Type.Object(
  {
    to: { ...AlternativeName, description: 'Name of the alternative to serve', examples: ['backup'] },
    force: Type.Optional(Type.Boolean({ description: 'Also if its checks fail', examples: [false] })),
  },
  { ...named('FailoverSwitch'), examples: [{ to: 'backup' }] },
)

export const ApproveBody = Type.Object(
  { revision: { ...Revision, description: 'The revision that was reviewed; 409 for any other' } },
  { ...named('FailoverApproval'), examples: [{ revision: 1 }] },
)

export const MonitorsQuery = Type.Object({ ...PageQuery(50), domainId: Type.Optional(Uuid) })
export const DomainMonitorsQuery = Type.Object(PageQuery(50))
