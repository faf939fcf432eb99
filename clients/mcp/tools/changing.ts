import { z } from 'zod'
import type { AcceptedOperation, Plan, RecordChanges, Zonekeeper } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { Effects, DomainInput, laterInput, PlanId, toEffects } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { MAX_TEXT, planLines, summary } from '../words.ts'

/** Maximum changes in one plan. */
const MAX_CHANGES = 100

/** Maximum characters of a plan that can be applied, because it has to be shown in full. */
const MAX_PLAN = MAX_TEXT - 1_000

const PlanOutput = z.object({
  ...Effects.shape,
  planId: z
    .string()
    .nullable()
    .describe('Pass it to apply_plan; null if there is nothing to apply or changes were refused'),
  planExpiresAt: z.string().nullable(),
  refused: z.array(z.object({ change: z.number(), code: z.string(), detail: z.string() })),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
})

const APPLIES =
  'This changes nothing. Show the plan to the user and let them decide; apply_plan with its planId applies exactly this ' +
  'plan, within an hour.'

const Change = z.strictObject({
  action: z.enum(['create', 'update', 'delete']).describe('Action on one record'),
  recordId: z.uuid().exactOptional().describe('id of the record; for update and delete'),
  version: z
    .int()
    .min(1)
    .exactOptional()
    .describe('Version of the record; the change is refused if it has changed since'),
  type: z.string().min(1).max(20).exactOptional().describe('Such as A, AAAA, CNAME, MX, TXT; for create'),
  name: z
    .string()
    .min(1)
    .max(253)
    .exactOptional()
    .describe('Relative to the domain, @ for the apex; for create'),
  value: z
    .string()
    .max(4096)
    .exactOptional()
    .describe('As in a zone file, such as 10 mail.example.com for MX; for create'),
  ttl: z.int().min(0).nullable().exactOptional().describe('Seconds; defaults to the TTL of the domain'),
  proxied: z.boolean().exactOptional().describe('true to use the proxy of the DNS provider, if it has one'),
  enabled: z.boolean().exactOptional().describe('false keeps the record without serving it'),
  comment: z.string().max(500).exactOptional().describe('Internal note; not published'),
})

const planChanges = tool({
  name: 'plan_changes',
  title: 'Plan record changes',
  description:
    `Plans changes of records in one domain. They are applied together, or not at all if one is refused. ${APPLIES} ` +
    'For an update, give only the fields that change.',
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    changes: z.array(Change).min(1).max(MAX_CHANGES).describe('Applied together or not at all'),
  }),
  output: PlanOutput,
  async run(client, { domain, changes }) {
    const { id, name } = await findDomain(client, domain)
    const requested = changes.map(({ type, ...change }) => ({
      ...change,
      ...(type && { recordType: type.toUpperCase() }),
    }))
    // The API reports missing fields.
    return shown(
      name,
      await client.POST('/api/v1/domains/{id}/records/plan', {
        path: { id },
        body: { changes: requested as RecordChanges['changes'], keep: true },
      }),
    )
  },
})

const undo = tool({
  name: 'undo',
  title: 'Plan to revert a change',
  description: `Plans to revert an earlier change: its records return to their previous state. ${APPLIES}`,
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    changeId: z.uuid().describe('id of a change, as shown by history'),
  }),
  output: PlanOutput,
  async run(client, { domain, changeId }) {
    const { id, name } = await findDomain(client, domain)
    // A kept plan is never an operation.
    return shown(
      name,
      (await client.POST('/api/v1/domains/{id}/changes/{changeId}/revert', {
        path: { id, changeId },
        query: { keep: true },
      })) as Plan,
    )
  },
})

/** Returns the plan for the user; one that is too long to be shown in full can't be applied from here. */
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
  if (planId !== null) return `Nothing is applied yet. planId ${planId}, valid until ${planExpiresAt}`
  if (conflicts.length > 0) return 'This plan cannot be applied. Fix the refused changes and plan again.'
  return kept ? 'This plan is too long to be shown. Plan it in parts.' : 'Nothing to change'
}

const Applied = z.object({
  ...Effects.shape,
  changeId: z.string().nullable().describe('Pass it to undo to revert this change'),
  operationId: z.string().nullable().describe('Set if the change is large and continues as an operation'),
  scheduled: z.boolean().describe('true: it waits for applyAt, and nothing is applied yet'),
  applyAt: z.string().nullable(),
  confirmBy: z.string().nullable().describe('When it is reverted unless it is confirmed'),
})

const applyPlan = tool({
  name: 'apply_plan',
  title: 'Apply a plan',
  description:
    'Applies a plan of plan_changes or undo at the DNS provider: exactly as shown, or not at all if records changed ' +
    'since (plan_outdated; then plan again). applyAt schedules it instead. Call it only after the user has seen the plan and ' +
    'agreed.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    planId: PlanId,
    domain: DomainInput.exactOptional().describe(
      'Domain of the plan, so that the user sees it when asked; the plan alone decides',
    ),
    ...laterInput,
  }),
  output: Applied,
  async run(client, { domain, planId, ...later }) {
    const { id, name } =
      domain === undefined ? await domainOf(client, planId) : await findDomain(client, domain)
    const done = await client.POST('/api/v1/domains/{id}/records/apply', {
      path: { id },
      body: { planId, ...later },
    })
    if ('operation' in done) return continuing(name, done)
    const { changeId, scheduled = false, applyAt = null, confirmBy = null } = done
    const [, ...lines] = planLines(name, done)
    const applied = `Applied in ${name}, change ${changeId}`
    const unlessConfirmed = confirmBy === null ? '' : `, reverted at ${confirmBy} unless it is confirmed`
    const said = scheduled
      ? `Scheduled in ${name} for ${applyAt}, change ${changeId}; nothing is applied yet`
      : `${applied}${unlessConfirmed}`
    return {
      lines: [`${said}:`, ...lines],
      content: { ...toEffects(name, done), changeId, operationId: null, scheduled, applyAt, confirmBy },
    }
  },
})

async function domainOf(client: Zonekeeper, planId: string) {
  const path = { id: planId }
  const { domainId: id, domainName: name } = await client.GET('/api/v1/records/kept-plans/{id}', { path })
  return { id, name }
}

/** The result for a large plan, which another program with the same token has made. */
const continuing = (domain: string, { operation: { id, total } }: AcceptedOperation) => ({
  lines: [
    `${total} changes in ${domain} continue as operation ${id}; history shows them when they are applied`,
  ],
  content: {
    domain,
    creates: [],
    updates: [],
    deletes: [],
    changeId: null,
    operationId: id,
    scheduled: false,
    applyAt: null,
    confirmBy: null,
  },
})

export const changingTools = [planChanges, undo, applyPlan]
