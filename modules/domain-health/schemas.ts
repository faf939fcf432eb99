import { Type } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ReasonParams } from '../../schemas/problem.ts'
import { ref } from '../../schemas/ref.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { ChangesBody } from '../records/service.ts'
import { HEALTH_CODES, SEVERITIES } from './catalogue.ts'

const Severity = OneOf(SEVERITIES, {
  ...named('HealthSeverity'),
  description: '`error`: something does not work, or can be abused',
  examples: ['warning'],
})

/** In answers any text, so that clients accept codes of later versions. */
const Code = Type.String({
  description: 'Stable code for programs. New codes may be added',
  examples: ['mail.dmarc_missing'],
})

const { changes } = ChangesBody.properties

export const HealthFinding = Type.Object(
  {
    id: Type.String({
      description: 'The same from check to check, within the domain',
      examples: ['k3b2mRkT0v9n3l3mZ0pQfA'],
    }),
    domainId: Uuid,
    domainName: Type.String({ examples: ['example.com'] }),
    code: Code,
    severity: Severity,
    name: Type.String({
      description: 'Relative to the domain; `@` for what concerns all of it',
      examples: ['_dmarc'],
    }),
    type: Nullable(Type.String({ description: 'Null if it is not about records', examples: ['TXT'] })),
    detail: Type.String({ examples: ['There is no DMARC policy at _dmarc.example.com.'] }),
    params: {
      ...ReasonParams,
      description: 'Values named in `detail`',
      examples: [{ host: '_dmarc.example.com' }],
    },
    explanation: Type.String({
      description: 'What it means, the same for all findings of the code',
      examples: ['Without a DMARC policy, receivers do not reject mail that forges the domain (RFC 9989).'],
    }),
    fix: {
      ...Nullable(changes),
      description:
        '`changes` of `planRecords` or `applyRecords` that remove the finding; null if none follow',
    },
    since: { ...Timestamp, description: 'When it was first found' },
  },
  { $id: 'HealthFinding' },
)

const Counts = Type.Object(
  {
    error: Type.Integer({ examples: [0] }),
    warning: Type.Integer({ examples: [1] }),
    info: Type.Integer({ examples: [2] }),
  },
  { ...named('HealthCounts'), description: 'Visible findings by severity, regardless of that filter' },
)

const NotChecked = Type.Object(
  {
    codes: Type.Array(Code),
    subject: Nullable(
      Type.String({ description: 'Only what concerns this name or server', examples: [null] }),
    ),
    reason: Type.String({ description: 'Stable code for programs', examples: ['not_imported'] }),
    detail: Type.String({
      examples: ['The zone has not been imported yet, so its records are not known.'],
    }),
  },
  named('NotChecked'),
)

export const DomainHealth = Type.Object(
  {
    domainId: Uuid,
    domainName: Type.String({ examples: ['example.com'] }),
    checkedAt: Nullable({ ...Timestamp, description: 'When the last check began; null before the first' }),
    counts: Counts,
    findings: Type.Array(ref(HealthFinding), { description: 'Most severe first' }),
    notChecked: Type.Array(NotChecked, {
      description:
        'What the last check could not find out, for callers who see the whole domain. Earlier findings of these codes stay',
    }),
    omitted: Type.Array(
      Type.Object({ code: Code, count: Type.Integer({ examples: [12] }) }, named('OmittedFindings')),
      { description: 'Further findings of codes of which only 50 are kept' },
    ),
  },
  { $id: 'DomainHealth' },
)

export const FindingsQuery = Type.Object({
  ...PageQuery(50),
  severity: Type.Optional(Severity),
  code: Type.Optional(
    OneOf(HEALTH_CODES, { ...named('HealthCode'), description: 'Only findings of this code' }),
  ),
  domainId: Type.Optional(Uuid),
})

export const FindingPage = Type.Object(
  { findings: Type.Array(ref(HealthFinding)), counts: Counts, ...PageEnvelope },
  named('HealthFindingPage'),
)

export const Begun = Type.Object(
  { domains: Type.Integer({ description: 'Domains that will be checked', examples: [12] }) },
  named('HealthChecksBegun'),
)
