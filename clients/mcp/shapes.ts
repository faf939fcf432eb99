import { z } from 'zod'
import type {
  ChangeRequest,
  ChangeRequestItem,
  DnsRecord,
  Domain as ApiDomain,
  Plan,
  RecordContent,
} from '../typescript/index.ts'
import { short } from './words.ts'

/* Input and output of the tools. The API validates values; bounds here are those of the API or narrower. */

export const DomainInput = z.string().min(1).max(253).describe('Domain name, such as example.com, or id')

export const PlanId = z.uuid().describe('planId of a plan that was shown')

export const PageInput = z.int().min(1).max(1000).default(1).describe('Page number, from 1')

export const Domain = z.object({
  id: z.string(),
  name: z.string(),
  access: z.string().describe('Your permission: owner, admin, write or read'),
  recordCount: z.number(),
  status: z.string().describe('Status of the registration: active, expiring or expired'),
  expiresAt: z.string().nullable(),
  group: z.string(),
  tags: z.array(z.string()),
})

/** Fields that lists and single domains share. */
type DomainFields = Pick<
  ApiDomain,
  'id' | 'name' | 'access' | 'recordCount' | 'status' | 'expiresAt' | 'groupName' | 'tags'
>

export const toDomain = (domain: DomainFields): z.input<typeof Domain> => {
  const { id, name, access, recordCount, status, expiresAt, groupName: group, tags } = domain
  return { id, name, access, recordCount, status, expiresAt, group, tags }
}

/** The content of a record. */
export const Content = z.object({
  name: z.string().describe('Relative to the domain; @ is the apex'),
  type: z.string(),
  value: z.string(),
  ttl: z.number().nullable().describe('Seconds; null if the DNS provider chooses'),
  proxied: z.boolean(),
  enabled: z.boolean(),
  comment: z.string(),
  set: z
    .string()
    .nullable()
    .describe('Key of the RRset, where the DNS provider has several of one name and type'),
})

export const toContent = (record: RecordContent): z.input<typeof Content> => {
  const { name, recordType: type, value, ttl, proxied, enabled, comment, routing } = record
  return { name, type, value, ttl, proxied, enabled, comment, set: routing?.key ?? null }
}

export const ListedRecord = z.object({
  id: z.string(),
  version: z
    .number()
    .describe('Send it with a change to have the change refused if the record was changed meanwhile'),
  status: z.string(),
  ...Content.shape,
})

export const toListed = (record: DnsRecord): z.input<typeof ListedRecord> => {
  const { id, version, status } = record
  return { id, version, status, ...toContent({ ...record, value: short(record.value) }) }
}

const Effect = z.object({ before: Content.nullable(), after: Content.nullable() })

/** The effects of a plan. */
export const Effects = z.object({
  domain: z.string(),
  creates: z.array(Effect),
  updates: z.array(Effect),
  deletes: z.array(Effect),
})

export function toEffects(
  domain: string,
  { creates, updates, deletes }: Pick<Plan, 'creates' | 'updates' | 'deletes'>,
): z.input<typeof Effects> {
  const shown = (changes: Plan['creates']) =>
    changes.map(({ before, after }) => ({
      before: before && toContent(before),
      after: after && toContent(after),
    }))
  return { domain, creates: shown(creates), updates: shown(updates), deletes: shown(deletes) }
}

/** When to apply changes, and whether they must be confirmed. */
export const laterInput = {
  applyAt: z.iso
    .datetime({ offset: true })
    .exactOptional()
    .describe('When to apply it, such as 2026-12-04T22:00:00Z, at most 90 days ahead; now if left out'),
  confirmWithin: z
    .int()
    .min(1)
    .max(1440)
    .exactOptional()
    .describe('Minutes; once applied, the change is reverted unless confirm_change is called in this time'),
}

export const RequestId = z.uuid().describe('id of a change request')

/** A change request in a list. */
export const Request = z.object({
  id: z.string(),
  domain: z.string(),
  title: z.string(),
  status: z.string(),
  revision: z.number().describe('Rises with each edit; approve_change_request takes the one that was shown'),
  author: z.string(),
  created: z.number(),
  updated: z.number(),
  deleted: z.number(),
  canApprove: z.boolean().describe('Whether the user may approve or reject it'),
})

export const toRequest = (request: ChangeRequestItem): z.input<typeof Request> => {
  const { id, domainName: domain, title, status, revision, author, canApprove } = request
  const { created, updated, deleted } = request
  return { id, domain, title, status, revision, author: author.name, created, updated, deleted, canApprove }
}

/** A change request with its plan. */
export const RequestDetails = z.object({
  ...Request.shape,
  ...Effects.shape,
  reason: z.string(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  problem: z.string().nullable().describe('Why it was not applied'),
  changeId: z.string().nullable().describe('The change that applies it; pass it to undo to revert it'),
  timeline: z.array(
    z.object({ at: z.string(), by: z.string().nullable(), kind: z.string(), text: z.string() }),
  ),
})

export const toRequestDetails = (request: ChangeRequest): z.input<typeof RequestDetails> => {
  const { plan, reason, problem, changeId, timeline } = request
  return {
    ...toRequest(request),
    ...toEffects(request.domainName, plan),
    reason,
    warnings: plan.warnings.map(({ code, message }) => ({ code, message })),
    problem: problem?.detail ?? null,
    changeId,
    timeline: timeline.map(({ at, by, kind, text }) => ({ at, by: by?.name ?? null, kind, text })),
  }
}
