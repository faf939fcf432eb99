import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { quoteBytes } from '../../../../dns/text/strings.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { isCode, type Answer, type Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import { byCursor, linkOf } from '../../client/paging.ts'
import { ProviderError, unlessMissing, type Zone } from '../../contract.ts'
import type { Account } from '../../shared/define-provider.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import { plainValues } from '../../shared/rrsets/listed-sets.ts'
import type { Spelling } from '../../shared/rrsets/edited-set.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { splitCaa } from '../../shared/spelling/split-data.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import type { Credentials } from './index.ts'

const RawZone = Type.Object({
  zone: Type.String(),
  dns_servers: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  secondary: Type.Optional(
    Type.Union([Type.Object({ enabled: Type.Optional(Type.Boolean()) }), Type.Null()]),
  ),
})

const Words = Type.Array(Type.Union([Type.String(), Type.Number()]))

/** All data of one name and type. */
const Key = {
  /** The whole name, without the final dot. */
  domain: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  /** Another record whose answers it has. */
  link: Type.Optional(Type.Union([Type.String(), Type.Null()])),
}

/** As the zone lists it: words of an answer joined by spaces. */
const Listed = Type.Object({ ...Key, short_answers: Type.Array(Type.String()) })

const RawRecord = Type.Object({
  ...Key,
  /** May have more members, such as `meta`, by which filters choose. */
  answers: Type.Array(Type.Object({ answer: Words })),
  filters: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
})

type RawRecord = Static<typeof RawRecord>

/** A record as listed, or as read alone with all it has. */
interface Found {
  key: Pick<RawRecord, 'domain' | 'type' | 'ttl'>
  /** The words of each, joined by spaces. */
  answers: readonly string[]
  raw: RawRecord | null
}

const Zones = Type.Array(RawZone)
const Records = Type.Object({ records: Type.Optional(Type.Array(Listed)) })

const NO_RECORD = 'record not found'
const RECORD_EXISTS = 'record already exists'

/** NS1: its API version 1 (https://developer.ibm.com/apis/catalog/ns1--ibm-ns1-connect-api/). */
export const open = byRRset({
  api: (account: Account<Credentials>) => {
    const { apiKey } = account.credentials
    const authenticate = () => ({ 'x-nsone-key': apiKey })
    return clientOf(account, { secrets: [apiKey], authenticate, explain, rateOf })
  },

  listZones: (api) =>
    byCursor(async (after) => {
      const { body, headers } = await api.read('/zones', { query: { after }, schema: Zones })
      return { items: body.map(toZone), next: nextOf(headers) }
    }),

  async findZones(api, name) {
    const { body } = await api.read(zonePath(name), { query: { records: 'false' }, schema: RawZone })
    return [toZone(body)]
  },

  async createZone(api, { name }) {
    const { body } = await api.write(zonePath(name), { method: 'PUT', json: { zone: name }, schema: RawZone })
    return toZone(body)
  },

  deleteZone: (api, zone) => api.write(zonePath(zone.id), { method: 'DELETE' }),

  listSets: (api, zone) =>
    byCursor(async (after) => {
      const call = { query: { after }, schema: Records, large: true }
      const { body, headers } = await api.read(zonePath(zone.id), call)
      const items = (body.records ?? []).map(({ short_answers: answers, ...key }): Found => ({
        key,
        answers,
        raw: null,
      }))
      return { items, next: nextOf(headers) }
    }),

  async readSet(api, zone, { name, type }): Promise<Found | null> {
    try {
      const { body } = await api.read(recordPath(zone, name, type), { schema: RawRecord })
      return { key: body, answers: body.answers.map(shortOf), raw: body }
    } catch (error) {
      if (isCode(error, NO_RECORD)) return null
      throw error
    }
  },

  toSet({ key: { domain, type, ttl }, answers }, zone) {
    const name = ownerOf(domain, zone)
    return name === null ? null : { name, type, ttl, values: plainValues(answers) }
  },

  spell: () => spellingOf,

  async writeSet(api, zone, { name, type, ttl, rdata, raw: found }) {
    const path = recordPath(zone, name, type)
    const raw = found?.raw ?? null
    if (raw !== null && isSteered(raw)) throw steered(name, type)
    if (rdata.length === 0) {
      await unlessMissing(api.write(path, { method: 'DELETE', as: 'none' }))
      return
    }
    // Answers that stay are sent as they were, with whatever else they have.
    const answers = rdata.map(
      (short) => raw?.answers.find((one) => shortOf(one) === short) ?? { answer: wordsOf(type, short) },
    )
    const json = { zone: zone.id, domain: absoluteName(name, zone.id), type, ttl, answers }
    await api.write(path, { method: raw === null ? 'PUT' : 'POST', json })
  },

  // The record was made, or deleted, in the meantime.
  isOutdated: (error) => isCode(error, RECORD_EXISTS, NO_RECORD),
})

const shortOf = ({ answer }: { answer: readonly (string | number)[] }): string => answer.join(' ')

/** A filter chain, or a link, decides what is answered: its answers mean something by their metadata. */
const isSteered = ({ filters, link }: RawRecord): boolean =>
  (filters ?? []).length > 0 || (link ?? null) !== null

const steered = (name: string, type: string) =>
  new ProviderError(
    'rejected',
    `${type} at ${name} has a filter chain or is a linked record at NS1, so it can only be changed there`,
  )

/** A text or the value of a CAA is one word without quotes, whatever spaces it has. */
function spellingOf(type: RecordType): Spelling {
  if (type === 'TXT') return { read: txtFromText, write: txtToText }
  if (type !== 'CAA')
    return { read: (short) => typeOf(type).read(short), write: (value) => typeOf(type).write(value) }
  return {
    read(short) {
      const [, start = '', text = ''] = CAA.exec(short) ?? []
      return typeOf('CAA').read(`${start} ${quoteBytes(Buffer.from(text))}`)
    },
    write(value) {
      const { flags, tag, text } = splitCaa(value)
      return `${flags} ${tag} ${text}`
    },
  }
}

const CAA = /^(\d+ \S+) (.*)$/s

function wordsOf(type: RecordType, short: string): string[] {
  if (type === 'TXT') return [short]
  if (type !== 'CAA') return short.split(' ')
  const [, start = '', text = ''] = CAA.exec(short) ?? []
  return [...start.split(' '), text]
}

/** The id of a zone is its name. */
const zonePath = (name: string): string => `/zones/${encodeURIComponent(name)}`

const recordPath = (zone: Zone, name: string, type: string): string =>
  `${zonePath(zone.id)}/${encodeURIComponent(absoluteName(name, zone.id))}/${type}`

function toZone({ zone, dns_servers: servers, secondary }: Static<typeof RawZone>): Zone {
  const kind = secondary?.enabled === true ? 'secondary' : 'primary'
  return { id: zone, name: zone.toLowerCase(), ...nameServersOf(servers ?? []), kind }
}

/** Where the next page begins. */
function nextOf(headers: Record<string, string>): string | null {
  const link = linkOf(headers['link'], 'next')
  return link === null ? null : new URL(link, 'https://api.nsone.net').searchParams.get('after')
}

/** Each method of each account has calls of its own, which come back within the period, in seconds. */
function rateOf(headers: Record<string, string>) {
  const [remaining, period] = [headers['x-ratelimit-remaining'], headers['x-ratelimit-period']].map(Number)
  if (remaining === undefined || period === undefined || !Number.isFinite(remaining + period)) return null
  return { remaining, resetMs: period * 1000 }
}

/** NS1's status tells the kind of a failure; `message` what is missing. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const message = textOf(body['message'])
  return message === '' ? undefined : { code: message, reason: message }
}
