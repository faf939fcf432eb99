import { z } from 'zod'
import type { DnsRecord, Domain as ApiDomain, Plan, RecordContent } from '../typescript/index.ts'
import { short } from './words.ts'

/* What tools take and answer; the API judges values. Bounds are those of the API, or narrower. */

export const DomainInput = z
  .string()
  .min(1)
  .max(253)
  .describe('Name of the domain, such as example.com, or its id')

export const PlanId = z.uuid().describe('planId of a plan that was shown')

export const PageInput = z.int().min(1).max(1000).default(1).describe('From 1')

export const Domain = z.object({
  id: z.string(),
  name: z.string(),
  access: z.string().describe('owner, admin, write or read: what you may do with it'),
  recordCount: z.number(),
  status: z.string().describe('Of the registration: active, expiring or expired'),
  expiresAt: z.string().nullable(),
  group: z.string(),
  tags: z.array(z.string()),
})

/** What lists and single domains have in common. */
type DomainFields = Pick<
  ApiDomain,
  'id' | 'name' | 'access' | 'recordCount' | 'status' | 'expiresAt' | 'groupName' | 'tags'
>

export const toDomain = (domain: DomainFields): z.input<typeof Domain> => {
  const { id, name, access, recordCount, status, expiresAt, groupName: group, tags } = domain
  return { id, name, access, recordCount, status, expiresAt, group, tags }
}

/** What a record says. */
export const Content = z.object({
  name: z.string().describe('Relative to the domain; @ is the domain itself'),
  type: z.string(),
  value: z.string(),
  ttl: z.number().nullable().describe('Seconds; null: the DNS host chooses'),
  proxied: z.boolean(),
  enabled: z.boolean(),
  comment: z.string(),
  set: z.string().nullable().describe('Where the DNS host has several sets of one name and type'),
})

export const toContent = (record: RecordContent): z.input<typeof Content> => {
  const { name, recordType: type, value, ttl, proxied, enabled, comment, routing } = record
  return { name, type, value, ttl, proxied, enabled, comment, set: routing?.key ?? null }
}

export const ListedRecord = z.object({
  id: z.string(),
  version: z.number().describe('Given with a change, it is refused when the record was changed meanwhile'),
  status: z.string(),
  ...Content.shape,
})

export const toListed = (record: DnsRecord): z.input<typeof ListedRecord> => {
  const { id, version, status } = record
  return { id, version, status, ...toContent({ ...record, value: short(record.value) }) }
}

const Effect = z.object({ before: Content.nullable(), after: Content.nullable() })

/** What a plan does, or did. */
export const Effects = z.object({
  domain: z.string(),
  creates: z.array(Effect),
  updates: z.array(Effect),
  deletes: z.array(Effect),
})

export function toEffects(domain: string, { creates, updates, deletes }: Plan): z.input<typeof Effects> {
  const shown = (changes: Plan['creates']) =>
    changes.map(({ before, after }) => ({
      before: before && toContent(before),
      after: after && toContent(after),
    }))
  return { domain, creates: shown(creates), updates: shown(updates), deletes: shown(deletes) }
}
