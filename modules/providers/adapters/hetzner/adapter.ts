import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readName, readOwner } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { halfDone, ProviderError, unlessMissing } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Unfinished,
  Zone,
} from '../../contract.ts'
import { allDone, editedSet, NO_SET, relativeTo, type HeldValue } from '../../shared/edited-set.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { toPage, toRRset, type ListedSet } from '../../shared/listed-sets.ts'
import type { Credentials } from './account.ts'
import { openApi, Page, RawAction, RawRRset, RawZone } from './client.ts'

const ZONES_A_PAGE = 50
const RRSETS_A_PAGE = 100
const POLL_MS = 250
const DEFAULT_TTL = 86_400

const OneZone = Type.Object({ zone: RawZone })
const Zones = Page({ zones: Type.Array(RawZone) })
const RRsets = Page({ rrsets: Type.Array(RawRRset) })
const Action = Type.Object({ action: RawAction })

/** Hetzner: RRsets, of which each change is an action that goes on after the answer. */
export class HetznerAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#zonePage(1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const zones of byNumber((page) => this.#zonePage(page), { size: ZONES_A_PAGE, max }))
      yield zones.map(toZone)
  }

  async #zonePage(page: number) {
    const query = { page, per_page: ZONES_A_PAGE }
    const { body } = await this.#api.read('/zones', { query, schema: Zones })
    return { items: body.zones, ...countsOf(body) }
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(zonePath(name), { schema: OneZone }))
    return found === null ? [] : [toZone(found.body.zone)]
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const { body } = await this.#api.write('/zones', {
      json: { name, mode: 'primary' },
      schema: Type.Intersect([OneZone, Action]),
    })
    await this.#untilDone(body.action)
    return toZone(body.zone)
  }

  async deleteZone(zone: Zone): Promise<void> {
    const call = this.#api.write(zonePath(zone.id), { method: 'DELETE', schema: Action })
    const answer = await unlessMissing(call)
    if (answer !== null) await this.#untilDone(answer.body.action)
  }

  /** Waits for an action that something else waits for. */
  async #untilDone(action: RawAction): Promise<void> {
    const { clock, deadline, signal } = this.#api.context
    for (let done = isDone(action); !done; done = await this.#isDone(action.id)) {
      if (clock.now() + POLL_MS >= deadline) throw notInTime()
      await clock.sleep(POLL_MS, signal).catch(() => {
        throw notInTime()
      })
    }
  }

  async #isDone(id: number | string): Promise<boolean> {
    const { body } = await this.#api.read(`/zones/actions/${id}`, { schema: Action })
    return isDone(body.action)
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    for await (const sets of this.#readPages(zone)) yield toPage(sets, relativeTo(zone.name))
  }

  async *#readPages(zone: Zone, only: { name?: string; type?: string } = {}): AsyncGenerator<ListedSet[]> {
    const { maxZoneRecords: max } = this.#api.context
    let zoneTtl: number | undefined
    const read = async (page: number) => {
      const query = { page, per_page: RRSETS_A_PAGE, ...only }
      const call = { query, schema: RRsets, large: true }
      const { body } = await this.#api.read(`${zonePath(zone.id)}/rrsets`, call)
      if (body.rrsets.some(({ ttl }) => ttl === null)) zoneTtl ??= await this.#ttlOf(zone)
      return { items: toSets(body.rrsets, zone, zoneTtl), ...countsOf(body) }
    }
    yield* byNumber(read, { size: RRSETS_A_PAGE, max })
  }

  /** That of all sets without one of their own. */
  async #ttlOf(zone: Zone): Promise<number> {
    const { body } = await this.#api.read(zonePath(zone.id), { schema: OneZone })
    return body.zone.ttl ?? DEFAULT_TTL
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const set = await this.#readSet(zone, { name, type })
    return set && toRRset(set, relativeTo(zone.name))
  }

  // Asked for by its address, a set that is missing can't be told from a zone that is.
  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<ListedSet | null> {
    for await (const page of this.#readPages(zone, { name, type })) {
      const found = page.find((set) => set.type === type && set.name === name)
      if (found !== undefined) return found
    }
    return null
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished> {
    const actions: RawAction[] = []
    for (const edit of edits) actions.push(...(await this.#change(zone, edit)))
    const outcomes = allDone(edits)
    const left = actions.filter((action) => !isDone(action))
    return left.length === 0 ? outcomes : { outcomes, change: left.map(({ id }) => id).join(' ') }
  }

  async isFinished(_: Zone, change: string): Promise<boolean> {
    const actions = change.split(' ')
    for (const action of actions) {
      try {
        if (!(await this.#isDone(action))) return false
      } catch (error) {
        throw actions.length === 1 ? error : halfDone(error)
      }
    }
    return true
  }

  /** What the provider goes on with. */
  async #change(zone: Zone, edit: RRsetEdit): Promise<RawAction[]> {
    const held = (await this.#readSet(zone, edit)) ?? NO_SET
    const wanted = editedSet(edit, held, relativeTo(zone.name))
    if (wanted === null) return []
    const path = `${zonePath(zone.id)}/rrsets/${encodeURIComponent(edit.name)}/${edit.type}`
    if (wanted.values.length === 0) return [await this.#act(path, undefined, 'DELETE')]
    const isNew = held === NO_SET
    const records = writeRecords(held.values, wanted.values)
    const action =
      records === null
        ? null
        : await this.#act(`${path}/actions/${records.action}`, {
            records: records.records,
            ...(isNew && wanted.ttl !== null && { ttl: wanted.ttl }),
          })
    if (isNew || wanted.ttl === held.ttl) return action === null ? [] : [action]
    const changeTtl = () => this.#act(`${path}/actions/change_ttl`, { ttl: wanted.ttl })
    return action === null ? [await changeTtl()] : this.#after(action, changeTtl)
  }

  /** One action after the other, where both can't be at work on the zone. */
  async #after(first: RawAction, next: () => Promise<RawAction>): Promise<RawAction[]> {
    try {
      return [first, await next()]
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'locked') throw halfDone(error)
      await this.#untilDone(first)
      return [
        await next().catch((again: unknown) => {
          throw halfDone(again)
        }),
      ]
    }
  }

  async #act(path: string, json: unknown, method = 'POST'): Promise<RawAction> {
    const { body } = await this.#api.write(path, { method, json, schema: Action })
    return body.action
  }
}

/** By which action the records become those that are wanted; null where they are. Added ones leave what others add meanwhile. */
function writeRecords(held: readonly HeldValue[], wanted: readonly HeldValue[]) {
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

/** Throws what the provider says of an action that it gave up. */
function isDone({ status, error }: RawAction): boolean {
  if (status === 'error')
    throw new ProviderError('rejected', `Hetzner gave this up: ${error?.message ?? 'without a reason'}`)
  return status === 'success'
}

const notInTime = () =>
  new ProviderError('timeout', 'Hetzner is not done with this yet', { outcome: 'unknown' })

/** Of an id or a name. */
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
  const nameServers = assigned.flatMap((server) => readName(server) ?? [])
  return {
    id: String(id),
    name: name.toLowerCase(),
    ...(nameServers.length > 0 && { nameServers }),
    ...(status !== undefined &&
      status !== 'unknown' && {
        status: status.endsWith('valid') && status !== 'invalid' ? 'active' : 'pending',
      }),
    ...(mode !== undefined && { kind: mode === 'secondary' ? 'secondary' : 'primary' }),
  }
}

const toSets = (raw: RawRRset[], zone: Zone, zoneTtl: number | undefined): ListedSet[] =>
  raw.flatMap(({ name: owner, type, ttl, records }) => {
    const name = readOwner(owner, zone.name)
    const values = records.map(({ value, comment }) => ({ rdata: value, comment: comment ?? '' }))
    return name === null ? [] : [{ name, type, ttl: ttl ?? zoneTtl ?? null, values }]
  })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new HetznerAdapter(openApi(credentials, context))
