import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { isCode, type ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { halfDone, ProviderError, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { explain, Page, RawZone, Result } from './client.ts'
import { MAX_BATCH, type Credentials } from './index.ts'
import { AUTOMATIC_TTL, extraOf, RawRecord, readValue, writeChange, writeNew } from './record-data.ts'

const ZONES_A_PAGE = 50
const RECORDS_A_PAGE = 1_000

const EDIT_RIGHT = '#dns_records:edit'

type Write = RecordWrite<RawRecord>

const Zones = Page(RawZone)
const Records = Page(RawRecord)
const NewRecords = Type.Array(Type.Object({ id: Type.String() }))
const Batch = Result(Type.Object({ posts: Type.Optional(Type.Union([NewRecords, Type.Null()])) }))

/** Cloudflare: its API version 4 (https://developers.cloudflare.com/api/). A batch of changes is one transaction. */
export const open = byId({
  api(account: Account<Credentials>) {
    const { apiToken, accountId } = account.credentials
    const client = clientOf(account, { ...bearer(apiToken), explain })
    return { client, context: account.context, accountId }
  },

  async verify(api) {
    const { items } = await zonePage(api, 1)
    const rights = items.map(({ permissions }) => permissions ?? [EDIT_RIGHT])
    if (rights.length > 0 && !rights.some((all) => all.includes(EDIT_RIGHT)))
      throw new ProviderError(
        'forbidden',
        'This token may not edit DNS records; give it the permission Zone → DNS → Edit',
      )
  },

  listZones: (api, name) =>
    byNumber(
      async (page) => {
        const { items, ...counts } = await zonePage(api, page, name)
        return { items: items.map(toZone), ...counts }
      },
      { size: ZONES_A_PAGE },
    ),

  async createZone({ client, accountId }, { name }) {
    const account = accountId === undefined ? {} : { account: { id: accountId } }
    const json = { name, type: 'full', ...account }
    return toZone((await client.write('/zones', { json, schema: Result(RawZone) })).body.result)
  },

  deleteZone: ({ client }, zone) => client.write(zonePath(zone), { method: 'DELETE' }),

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const filter = only && { type: only.type, name: absoluteName(only.name, zone.name) }
        const query = { page, per_page: RECORDS_A_PAGE, ...filter }
        const call = { query, schema: Records, large: true }
        const { body } = await api.client.read(recordsPath(zone), call).catch(async (error: unknown) => {
          // Records of a token that is not valid are "forbidden"; the list of zones tells the difference.
          if (error instanceof ProviderError && error.kind === 'forbidden') await zonePage(api, 1)
          throw error
        })
        return { items: body.result, ...countsOf(body) }
      },
      { size: RECORDS_A_PAGE },
    ),

  toRecord(raw, zone) {
    const extra = extraOf(raw)
    return {
      id: raw.id,
      name: ownerOf(raw.name, zone),
      type: raw.type,
      ttl: raw.ttl === AUTOMATIC_TTL ? null : raw.ttl,
      data: raw.content ?? JSON.stringify(raw.data ?? {}),
      member: {
        ...(raw.proxied === true && { proxied: true }),
        comment: raw.comment ?? '',
        ...(extra !== null && { extra }),
      },
    }
  },

  readValue,

  // The TTL of a proxied record is always automatic.
  ttlOf: (member, ttl) => (member.proxied === true ? null : ttl),

  async writeRecords({ client }, zone, writes) {
    const ids = new Map<Write, string>()
    const ordered = inOrder(writes)
    // Nearly always one batch. A failure does not undo earlier batches.
    for (let start = 0; start < ordered.length; start += MAX_BATCH) {
      const batch = ordered.slice(start, start + MAX_BATCH)
      const created = await writeBatch(client, zone, batch).catch((error: unknown) => {
        throw start === 0 ? error : halfDone(error)
      })
      for (const write of batch) {
        const id = write.held?.id ?? created.shift()
        if (id !== undefined) ids.set(write, id)
      }
    }
    return { ids: writes.map((write) => ids.get(write) ?? null) }
  },

  // An identical record exists already, or one is gone.
  isOutdated: (error) => isCode(error, '81044', '81057', '81058') && error.outcome === 'not_applied',
})

async function zonePage(
  { client, accountId }: { client: ApiClient; accountId: string | undefined },
  page: number,
  name?: string,
) {
  const query = { page, per_page: ZONES_A_PAGE, name, 'account.id': accountId }
  const { body } = await client.read('/zones', { query, schema: Zones })
  return { items: body.result, ...countsOf(body) }
}

/** Returns the ids of the created records. */
async function writeBatch(client: ApiClient, zone: Zone, writes: readonly Write[]): Promise<string[]> {
  const of = (kind: Write['write']) => writes.filter(({ write }) => write === kind)
  const json = {
    deletes: of('delete').map(({ held }) => ({ id: held?.id })),
    patches: of('update').map((write) => ({ id: write.held?.id, ...writeChange(write) })),
    posts: of('create').map((write) => writeNew(write, zone)),
  }
  const { body } = await client.write(`${recordsPath(zone)}/batch`, { json, schema: Batch })
  return (body.result.posts ?? []).map(({ id }) => id)
}

/**
 * In the order in which Cloudflare applies them: deletions first, and a DS after the NS that it belongs to.
 */
function inOrder(writes: readonly Write[]): Write[] {
  const rank = ({ type, write }: Write) => ORDER.indexOf(write) + (type === 'DS' ? 0.5 : 0)
  return writes.toSorted((a, b) => rank(a) - rank(b))
}

const ORDER: Write['write'][] = ['delete', 'update', 'create']

const zonePath = ({ id }: Zone): string => `/zones/${encodeURIComponent(id)}`

const recordsPath = (zone: Zone): string => `${zonePath(zone)}/dns_records`

const countsOf = ({
  result_info: info,
}: {
  result_info: { total_pages?: number; total_count?: number }
}) => ({
  pages: info.total_pages,
  total: info.total_count,
})

const toZone = ({ id, name, status, paused, type, name_servers: servers }: RawZone): Zone => ({
  id,
  name: name.toLowerCase(),
  ...nameServersOf(servers),
  ...(status !== undefined && {
    status: paused === true ? 'paused' : status === 'active' ? 'active' : 'pending',
  }),
  ...(type !== undefined && { kind: type === 'secondary' ? 'secondary' : 'primary' }),
})
