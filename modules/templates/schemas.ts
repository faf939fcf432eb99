import { Type, type Static } from '@sinclair/typebox'
import { named } from '../../schemas/named.ts'
import { RecordType } from '../../schemas/records/record-type.ts'
import { Label, Nullable, OneOf, Timestamp, Uuid } from '../../schemas/scalars.ts'
import { PlanLimit } from '../records/service.ts'

/** Per template. */
const MAX_RECORDS = 100
const MAX_VARIABLES = 30
/** Per request with a template: enough for all values. */
export const MAX_TEMPLATE_BYTES = 2 ** 20
/** Per plan. */
const MAX_DOMAINS = 1_000

export const TemplateVariable = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][A-Za-z0-9]{0,39}$',
      maxLength: 40,
      description:
        'Used as `{{name}}` in names and values of records; `{{domain}}` and `{{dashedDomain}}` are built in',
      examples: ['dkimKey'],
    }),
    label: Label(100, ['DKIM key']),
    description: Type.Optional(Type.String({ maxLength: 500, examples: ['Label in the console'] })),
    required: Type.Optional(
      Type.Boolean({
        description: 'Optional: records that contain it are left out if it has no value',
        examples: [false],
      }),
    ),
    default: Type.Optional(Type.String({ maxLength: 1000, examples: ['p=none'] })),
    pattern: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Regular expression in RE2 syntax that must match the whole value; no look-around, back-references or counted groups',
        examples: ['[a-z0-9.-]+'],
      }),
    ),
  },
  named('TemplateVariable'),
)
export type TemplateVariable = Static<typeof TemplateVariable>

export const TemplateRecord = Type.Object(
  {
    recordType: { ...RecordType, examples: ['MX'] },
    name: Type.String({ minLength: 1, maxLength: 1000, examples: ['@'] }),
    value: Type.String({ minLength: 1, maxLength: 4000, examples: ['10 mail.{{domain}}'] }),
    ttl: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [3600] })),
  },
  named('TemplateRecord'),
)
export type TemplateRecord = Static<typeof TemplateRecord>

const content = {
  name: Label(100, ['Our web hosting']),
  description: Type.Optional(Type.String({ maxLength: 2000, examples: ['Web and mail of the company'] })),
  variables: Type.Optional(Type.Array(TemplateVariable, { maxItems: MAX_VARIABLES, examples: [[]] })),
  records: Type.Array(TemplateRecord, { minItems: 1, maxItems: MAX_RECORDS }),
  shared: Type.Optional(
    Type.Boolean({ description: 'Shared with all users; for administrators only', examples: [false] }),
  ),
}

export const TemplateBody = Type.Object(content, named('TemplateBody'))
export type TemplateBody = Static<typeof TemplateBody>

const TemplateId = Type.String({
  pattern: '^[a-z0-9-]{1,50}$',
  description: 'A UUID, or the key of a built-in template',
  examples: ['google-workspace'],
})

export const Template = Type.Object(
  {
    id: TemplateId,
    name: content.name,
    description: Type.String({ examples: ['Web and mail of the company'] }),
    variables: Type.Array(TemplateVariable),
    records: Type.Array(TemplateRecord),
    builtIn: Type.Boolean({
      description: "Built in; can't be changed",
      examples: [true],
    }),
    shared: Type.Boolean({ examples: [true] }),
    ownerId: Nullable(Uuid),
    createdAt: Nullable(Timestamp),
    updatedAt: Nullable(Timestamp),
  },
  { $id: 'Template' },
)
export type Template = Static<typeof Template>

export const TemplateParams = Type.Object({ id: TemplateId })

const Variables = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 1000 }), {
  maxProperties: MAX_VARIABLES,
  description: 'Values by variable name',
  examples: [{ dkimKey: 'v=DKIM1; k=rsa; p=MIIB' }],
})

export const PlanBody = Type.Object(
  {
    domainIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_DOMAINS, uniqueItems: true }),
    variables: Type.Optional(Variables),
    mode: OneOf(['add', 'replaceSets'], {
      ...named('TemplateMode'),
      default: 'add',
      description:
        "`add`: next to existing records. `replaceSets`: existing records of the template's names and types are replaced",
    }),
    limit: PlanLimit,
  },
  named('TemplatePlanBody'),
)
export type PlanBody = Static<typeof PlanBody>
