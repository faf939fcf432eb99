import { z } from 'zod'
import type { AcceptedOperation, Plan, RecordChanges } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { Effects, DomainInput, PlanId, toEffects } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { MAX_TEXT, planLines, summary } from '../words.ts'

/** Changes in one plan. */
const MAX_CHANGES = 100

/** Characters of a plan that can be applied, which is shown whole. */
const MAX_PLAN = MAX_TEXT - 1_000

const PlanOutput = z.object({
  ...Effects.shape,
  planId: z
    .string()
    .nullable()
    .describe('Give it to apply_plan; null: there is nothing to apply, or refused changes'),
  planExpiresAt: z.string().nullable(),
  refused: z.array(z.object({ change: z.number(), code: z.string(), detail: z.string() })),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
})

const APPLIES =
  'Nothing is changed by this. Show the plan to the user and let them decide; apply_plan with its planId then does ' +
  'exactly that, within the hour.'

const Change = z.strictObject({
  action: z.enum(['create', 'update', 'delete']).describe('What to do with one record'),
  recordId: z.uuid().exactOptional().describe('id of the record; for update and delete'),
  version: z
    .int()
    .min(1)
    .exactOptional()
    .describe('version of the record: refused when it has another by now'),
  type: z.string().min(1).max(20).exactOptional().describe('Such as A, AAAA, CNAME, MX, TXT; for create'),
  name: z
    .string()
    .min(1)
    .max(253)
    .exactOptional()
    .describe('Relative to the domain, @ for the domain itself; for create'),
  value: z
    .string()
    .max(4096)
    .exactOptional()
    .describe('As a zone file has it, such as 10 mail.example.com for MX; for create'),
  ttl: z.int().min(0).nullable().exactOptional().describe('Seconds; left out: as usual in this domain'),
  proxied: z.boolean().exactOptional().describe('true: through the proxy of the DNS host, where it has one'),
  enabled: z.boolean().exactOptional().describe('false keeps the record without serving it'),
  comment: z.string().max(500).exactOptional().describe('For people; not published'),
})

const planChanges = tool({
  name: 'plan_changes',
  title: 'Plan changes of records',
  description:
    `Says what changes of the records of one domain would do. All of them are done together or, when one is refused, none. ${APPLIES} ` +
    'For update give only the fields that change.',
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    changes: z.array(Change).min(1).max(MAX_CHANGES).describe('Done together, or none of them'),
  }),
  output: PlanOutput,
  async run(client, { domain, changes }) {
    const { id, name } = await findDomain(client, domain)
    const wishes = changes.map(({ type, ...change }) => ({
      ...change,
      ...(type && { recordType: type.toUpperCase() }),
    }))
    // What an action lacks is told by the API.
    return shown(
      name,
      await client.POST('/api/v1/domains/{id}/records/plan', {
        path: { id },
        body: { changes: wishes as RecordChanges['changes'], keep: true },
      }),
    )
  },
})

const undo = tool({
  name: 'undo',
  title: 'Plan the undoing of a change',
  description: `Says what bringing the records of an earlier change back to what they were would do. ${APPLIES}`,
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    changeId: z.uuid().describe('id of a change that history shows'),
  }),
  output: PlanOutput,
  async run(client, { domain, changeId }) {
    const { id, name } = await findDomain(client, domain)
    // What is kept is planned alone, and goes on as no operation.
    return shown(
      name,
      (await client.POST('/api/v1/domains/{id}/changes/{changeId}/revert', {
        path: { id, changeId },
        query: { keep: true },
      })) as Plan,
    )
  },
})

/** What a person can look through: a plan that is not shown whole can't be applied from here. */
function shown(domain: string, plan: Plan) {
  const isWhole = planLines(domain, plan).join('\n').length <= MAX_PLAN
  const seen = isWhole ? plan : { ...plan, creates: [], updates: [], deletes: [] }
  const { planId = null, planExpiresAt = null } = isWhole ? plan : {}
  const [, ...lines] = planLines(domain, seen)
  return {
    lines: [summary(domain, plan), conclusion(plan, planId), ...lines],
    content: {
      ...toEffects(domain, seen),
      planId,
      planExpiresAt,
      refused: plan.conflicts.map(({ index, code, detail }) => ({ change: index, code, detail })),
      warnings: plan.warnings.map(({ code, message }) => ({ code, message })),
    },
  }
}

function conclusion({ conflicts, planId: kept, planExpiresAt }: Plan, planId: string | null): string {
  if (planId !== null) return `Nothing is done yet. planId ${planId}, until ${planExpiresAt}`
  if (conflicts.length > 0) return 'It can not be applied: mend what is refused, and plan again'
  return kept ? 'This is too much to be shown here: plan it in parts' : 'There is nothing to do'
}

const Applied = z.object({
  ...Effects.shape,
  changeId: z.string().nullable().describe('By which undo undoes it'),
  operationId: z.string().nullable().describe('Where it is so much that it goes on'),
})

const applyPlan = tool({
  name: 'apply_plan',
  title: 'Apply a plan',
  description:
    'Does what a plan of plan_changes or undo has shown, at the DNS host: exactly that, or nothing when records were ' +
    'changed meanwhile (plan_outdated; then plan again). Only after the user has seen that plan and agreed to it.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ domain: DomainInput, planId: PlanId }),
  output: Applied,
  async run(client, { domain, planId }) {
    const { id, name } = await findDomain(client, domain)
    const done = await client.POST('/api/v1/domains/{id}/records/apply', { path: { id }, body: { planId } })
    if ('operation' in done) return goingOn(name, done)
    const { changeId } = done
    const [, ...lines] = planLines(name, done)
    return {
      lines: [`Done in ${name}, change ${changeId}:`, ...lines],
      content: { ...toEffects(name, done), changeId, operationId: null },
    }
  },
})

/** A large plan that another program of the same token has made and shown. */
const goingOn = (domain: string, { operation: { id, total } }: AcceptedOperation) => ({
  lines: [`${total} changes in ${domain} go on as operation ${id}; history shows them when they are done`],
  content: { domain, creates: [], updates: [], deletes: [], changeId: null, operationId: id },
})

export const changingTools = [planChanges, undo, applyPlan]
