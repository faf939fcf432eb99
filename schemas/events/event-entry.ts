import { Type, type Static, type TObject } from '@sinclair/typebox'
import { named } from '../named.ts'
import { OneOf, Uuid } from '../scalars.ts'

export const Level = OneOf(['info', 'success', 'warning', 'error'], {
  ...named('Level'),
  examples: ['warning'],
})
export type Level = Static<typeof Level>

/**
 * Recipients of an event: the users it names, all administrators, or users with access to its domain. With `records` and
 * `counts`, users with access to part of the domain hear only about the records they can see.
 */
export type Audience = 'users' | 'administrators' | 'domain' | 'records' | 'counts'

/** Changed records of one name, which is relative to the domain. */
export type NameCounts = [name: string, created: number, updated: number, deleted: number]

/** Recipients and texts of one event. */
export interface Entry<M extends TObject> {
  level: Level
  audience: Audience
  /** Also sent by email to users who enabled it. */
  mail: boolean
  /** Data of the event for programs; contains no secrets. */
  metadata: M
  /** Reduces the metadata for users with access to only part of the domain. */
  partly?: (metadata: Static<M>) => Static<M>
  /** One line. */
  title: (metadata: Static<M>) => string
  /** One or two sentences. */
  content: (metadata: Static<M>) => string
}

/** Ties the types of the texts to the metadata's schema. */
export const entry = <M extends TObject>(given: Entry<M>) => given

/** Replaces provider messages, which may name any record of the domain. */
export const HIDDEN_REASON = 'The reason is shown only to users with access to the whole domain'
export const HIDDEN_CODE = 'reason_hidden'

/** Unicode form of a name; missing in events from before it was stored. */
export const UnicodeName = Type.Optional(
  Type.String({ description: 'Name in Unicode', examples: ['example.com'] }),
)

/** Metadata of events about a domain. */
export const domainFields = {
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  unicodeName: UnicodeName,
}

interface Named {
  domainName?: string | null
  unicodeName?: string
  host?: string
  unicodeHost?: string
  subdomainPattern?: string
  records?: readonly { name: string; unicodeName?: string }[]
}

/** Returns the metadata with all names in Unicode, for texts. */
export function withUnicodeNames<M extends object>(metadata: M): M {
  const { unicodeName, unicodeHost, records } = metadata as Named
  const pattern =
    unicodeName !== undefined && unicodeHost?.endsWith(`.${unicodeName}`)
      ? unicodeHost.slice(0, -unicodeName.length - 1)
      : undefined
  return {
    ...metadata,
    ...(unicodeName !== undefined && { domainName: unicodeName }),
    ...(unicodeHost !== undefined && { host: unicodeHost }),
    ...(pattern !== undefined && { subdomainPattern: pattern }),
    ...(records && {
      records: records.map((record) => ({ ...record, name: record.unicodeName ?? record.name })),
    }),
  }
}
