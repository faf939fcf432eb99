import { Type, type Static } from '@sinclair/typebox'
import type { Answer, Failure } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject } from '../../client/json.ts'
import { byOffset } from '../../client/paging.ts'
import type { ProviderErrorKind, Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex, ownerOf } from '../../shared/spelling/owner-names.ts'
import { joinData, PRIORITY, splitData } from '../../shared/spelling/split-data.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const DOMAINS_A_PAGE = 1000

// Lists have most numbers as text, a new record has its id as a number.
const NumberOrText = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })])

const RawRecord = Type.Object({
  id: NumberOrText,
  /** Absolute, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Of SRV `weight port target`. */
  content: Type.String(),
  ttl: NumberOrText,
  prio: Type.Optional(Type.Union([NumberOrText, Type.Null()])),
  notes: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

const Success = Type.Object({ status: Type.Literal('SUCCESS') })
const Domains = Type.Object({ domains: Type.Array(Type.Object({ domain: Type.String() })) })
const Records = Type.Object({ records: Type.Array(RawRecord) })
const NewRecord = Type.Object({ id: NumberOrText })

/** Porkbun: its API version 3 (https://porkbun.com/api/json/v3/documentation). Every call is a POST. */
export const open = byId({
  api(account: Account<Credentials>) {
    const { apiKey, secretApiKey } = account.credentials
    const client = clientOf(account, { secrets: [apiKey, secretApiKey], explain })
    const keys = { apikey: apiKey, secretapikey: secretApiKey }
    return new CommandApi(client, (path, parameters) => ({ path, json: { ...keys, ...parameters } }))
  },

  verify: (api) => api.read('/ping', Success),

  // Domains that the API may not change are listed as well, so zones are searched in this list.
  listZones: (api) =>
    byOffset(
      async (start) => {
        const { domains } = await api.read('/domain/listAll', Domains, { start: String(start) })
        return { items: domains.map(({ domain }) => ({ id: domain, name: domain.toLowerCase() })) }
      },
      { size: DOMAINS_A_PAGE },
    ),

  async listRecords(api, zone, only) {
    const name = only && emptyAtApex(only.name)
    const suffix = name ? `/${encodeURIComponent(name)}` : ''
    const path = only
      ? `${recordPath('retrieveByNameType', zone)}/${only.type}${suffix}`
      : recordPath('retrieve', zone)
    return (await api.read(path, Records)).records
  },

  toRecord: (raw, zone) => ({
    id: raw.id,
    name: ownerOf(raw.name, zone),
    type: raw.type,
    ttl: Number(raw.ttl),
    data: raw.content,
    member: { comment: raw.notes ?? '' },
  }),

  readValue: (type, { content, prio }, zone) =>
    joinData(type, { data: content, priority: Number(prio ?? 0) }, PRIORITY, zone.name),

  createRecord: async (api, zone, record) =>
    (await api.write(recordPath('create', zone), NewRecord, writeRecord(record))).id,

  async updateRecord(api, zone, record) {
    await api.write(recordPath('edit', zone, record.id), Success, writeRecord(record))
  },

  deleteRecord: (api, zone, { id }) => api.write(recordPath('delete', zone, id), Success),
})

const recordPath = (command: string, zone: Zone, id?: string): string =>
  ['/dns', command, ...[zone.id, ...(id === undefined ? [] : [id])].map(encodeURIComponent)].join('/')

/** Porkbun keeps the notes of a record where these are null. */
function writeRecord({ name, type, ttl, value, member }: RecordWrite<Static<typeof RawRecord>>) {
  const { data, priority } = splitData(type, value, PRIORITY)
  return {
    name: emptyAtApex(name),
    type,
    content: data,
    ttl,
    ...(priority !== undefined && { prio: priority }),
    notes: member.comment ?? null,
  }
}

/** Kinds of failures by their words. */
const KINDS: [pattern: RegExp, kind: ProviderErrorKind][] = [
  [/invalid api key/i, 'auth'],
  [/not opted in/i, 'forbidden'],
  [/invalid (domain|record id)/i, 'not_found'],
  [/too many requests|rate limit/i, 'rate_limited'],
]

/** A failure has `status` "ERROR" in its body, even with status 200; only its words tell the kind. */
function explain({ status, body }: Answer): Failure | undefined {
  // A proxy in front of the API refuses too many calls like this, and lets none through.
  if (status === 503 && body === undefined) return { kind: 'rate_limited', outcome: 'not_applied' }
  if (!isObject(body) || body['status'] !== 'ERROR') return undefined
  const { message, code } = body
  const reason = typeof message === 'string' ? message : ''
  const isKey = typeof code === 'string' && code.startsWith('INVALID_API_KEYS')
  const [, known] = KINDS.find(([pattern]) => pattern.test(reason)) ?? []
  const kind = isKey ? 'auth' : (known ?? (status < 300 ? 'rejected' : undefined))
  if (kind === 'not_found') return { kind, message: 'Porkbun does not have this in this account' }
  return { reason, ...(kind !== undefined && { kind }) }
}
