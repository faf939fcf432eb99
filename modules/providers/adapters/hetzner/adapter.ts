import { Type } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { untilDone as polled } from '../../client/polling.ts'
import { halfDone, ProviderError, unlessMissing, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { relativeTo, type HeldValue } from '../../shared/rrsets/edited-set.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { explain, Page, RawAction, RawRRset, RawZone } from './client.ts'
import type { Credentials } from './index.ts'

const ZONES_A_PAGE = 50
const RRSETS_A_PAGE = 100
const DEFAULT_TTL = 86_400

const OneZone = Type.Object({ zone: RawZone })
const Zones = Page({ zones: Type.Array(RawZone) })
const RRsets = Page({ rrsets: Type.Array(RawRRset) })
const Action = Type.Object({ action: RawAction })

/** Hetzner: its Cloud API (https://docs.hetzner.cloud/reference/cloud#dns). Each change is an action that may outlast the response. */
export const open = byRRset({
  api: (account: Account<Credentials>) =>
    clientOf(account, { ...bearer(account.credentials.apiToken), explain }),

  listZones: (api) =>
    byNumber(
      async (page) => {
        const { body } = await api.read('/zones', { query: { page, per_page: ZONES_A_PAGE }, schema: Zones })
        return { items: body.zones.map(toZone), ...countsOf(body) }
      },
      { size: ZONES_A_PAGE },
    ),

  async findZones(api, name) {
    const { body } = await api.read(zonePath(name), { schema: OneZone })
    return [toZone(body.zone)]
  },

  async createZone(api, { name }) {
    const call = { json: { name, mode: 'primary' }, schema: Type.Intersect([OneZone, Action]) }
    const { body } = await api.write('/zones', call)
    await untilDone(api, body.action)
    return toZone(body.zone)
  },

  async deleteZone(api, zone) {
    const answer = await unlessMissing(api.write(zonePath(zone.id), { method: 'DELETE', schema: Action }))
    if (answer !== null) await untilDone(api, answer.body.action)
  },

  // A direct read doesn't distinguish a missing set from a missing zone.
  listSets(api, zone, only) {
    let zoneTtl: number | undefined
    return byNumber(
      async (page) => {
        const query = { page, per_page: RRSETS_A_PAGE, ...(only && { name: only.name, type: only.type }) }
        const call = { query, schema: RRsets, large: true }
        const { body } = await api.read(`${zonePath(zone.id)}/rrsets`, call)
        if (body.rrsets.some(({ ttl }) => ttl === null)) zoneTtl ??= await defaultTtlOf(api, zone)
        const items = body.rrsets.map((raw) => ({ ...raw, ttl: raw.ttl ?? zoneTtl ?? null }))
        return { items, ...countsOf(body) }
      },
      { size: RRSETS_A_PAGE },
    )
  },

  toSet({ name: owner, type, ttl, records }, zone) {
    const name = readOwner(owner, zone.name)
    const values = records.map(({ value, comment }) => ({ rdata: value, comment: comment ?? '' }))
    return name === null ? null : { name, type, ttl, values }
  },

  spell: (zone) => relativeTo(zone.name),

  async writeSet(api, zone, { name, type, ttl, values, held }) {
    const path = `${zonePath(zone.id)}/rrsets/${encodeURIComponent(name)}/${type}`
    if (values.length === 0) return pendingOf([await act(api, path, undefined, 'DELETE')])
    const records = recordsAction(held?.values ?? [], values)
    const newTtl = held === null && ttl !== null ? { ttl } : {}
    const action =
      records &&
      (await act(api, `${path}/actions/${records.action}`, { records: records.records, ...newTtl }))
    if (held === null || ttl === held.ttl) return pendingOf(action === null ? [] : [action])
    const changeTtl = () => act(api, `${path}/actions/change_ttl`, { ttl })
    return pendingOf(action === null ? [await changeTtl()] : await afterwards(api, action, changeTtl))
  },

  isFinished: (api, _, action) => isFinished(api, action),
})

/** The TTL of all sets without one of their own. */
async function defaultTtlOf(api: ApiClient, zone: Zone): Promise<number> {
  const { body } = await api.read(zonePath(zone.id), { schema: OneZone })
  return body.zone.ttl ?? DEFAULT_TTL
}

async function act(api: ApiClient, path: string, json: unknown, method = 'POST'): Promise<RawAction> {
  const { body } = await api.write(path, { method, json, schema: Action })
  return body.action
}

/** A second action, which Hetzner may refuse while the first one locks the zone. */
async function afterwards(
  api: ApiClient,
  first: RawAction,
  next: () => Promise<RawAction>,
): Promise<RawAction[]> {
  try {
    return [first, await next()]
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'locked') throw halfDone(error)
    await untilDone(api, first)
    return [
      await next().catch((again: unknown) => {
        throw halfDone(again)
      }),
    ]
  }
}

/**
 * Returns the action that makes the records match; null if they already do. Adding keeps records that others
 * add at the same time.
 */
function recordsAction(held: readonly HeldValue[], wanted: readonly HeldValue[]) {
  const isHeld = ({ rdata, comment = '' }: HeldValue) =>
    held.some((one) => one.rdata === rdata && (one.comment ?? '') === comment)
  const added = wanted.filter((one) => !isHeld(one))
  const toRaw = ({ rdata, comment }: HeldValue) => ({
    value: rdata,
    ...(comment !== undefined && { comment }),
  })
  if (wanted.length === held.length && added.length === 0) return null
  return wanted.length - added.length === held.length
    ? { action: 'add_records', records: added.map(toRaw) }
    : { action: 'set_records', records: wanted.map(toRaw) }
}

const pendingOf = (actions: readonly RawAction[]): string[] =>
  actions.filter((action) => !isDone(action)).map(({ id }) => String(id))

/** Waits for an action that something else depends on. */
async function untilDone(api: ApiClient, action: RawAction): Promise<void> {
  if (!isDone(action))
    await polled(api.context, 'Hetzner', async () => ((await isFinished(api, action.id)) ? action : null))
}

async function isFinished(api: ApiClient, id: number | string): Promise<boolean> {
  const { body } = await api.read(`/zones/actions/${id}`, { schema: Action })
  return isDone(body.action)
}

/** Throws the reason if the action failed. */
function isDone({ status, error }: RawAction): boolean {
  if (status === 'error')
    throw new ProviderError(
      'rejected',
      `Hetzner did not complete this action: ${error?.message ?? 'without a reason'}`,
    )
  return status === 'success'
}

/** `zone`: an id or a name. */
const zonePath = (zone: string): string => `/zones/${encodeURIComponent(zone)}`

const countsOf = ({
  meta: { pagination },
}: {
  meta: { pagination: { last_page: number | null; total_entries: number | null } }
}) => ({
  pages: pagination.last_page ?? undefined,
  total: pagination.total_entries ?? undefined,
})

function toZone({
  id,
  name,
  mode,
  authoritative_nameservers: { assigned = [], delegation_status: status } = {},
}: RawZone): Zone {
  return {
    id: String(id),
    name: name.toLowerCase(),
    ...nameServersOf(assigned),
    ...(status !== undefined &&
      status !== 'unknown' && {
        status: status.endsWith('valid') && status !== 'invalid' ? 'active' : 'pending',
      }),
    ...(mode !== undefined && { kind: mode === 'secondary' ? 'secondary' : 'primary' }),
  }
}
