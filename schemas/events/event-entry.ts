import { Type, type Static, type TObject } from '@sinclair/typebox'
import { Uuid } from '../scalars.ts'

export const LEVELS = ['info', 'success', 'warning', 'error'] as const
export type Level = (typeof LEVELS)[number]

/**
 * Who hears of an event: the users it names; all administrators; those who see its domain as a whole or in
 * part; or, for records and for counts of them, those of them who see one of the records, which is then all
 * that they hear of.
 */
export type Audience = 'users' | 'administrators' | 'domain' | 'records' | 'counts'

/** How many records of one name were changed; the name relative to its domain. */
export type NameCounts = [name: string, created: number, updated: number, deleted: number]

/** One event: who hears of it, and how it is told. */
export interface Entry<M extends TObject> {
  level: Level
  audience: Audience
  /** Also goes to those by e-mail who asked for it. */
  mail: boolean
  /** What the event tells, for programs; plain data without secrets. */
  metadata: M
  /** What is told to those who see a part of the domain only, where that is less. */
  partly?: (metadata: Static<M>) => Static<M>
  /** One line, for people. */
  title: (metadata: Static<M>) => string
  /** A sentence or two, for people. */
  content: (metadata: Static<M>) => string
}

/** Keeps the metadata of the schema and of the words the same. */
export const entry = <M extends TObject>(given: Entry<M>) => given

/** In place of words of a provider, which may name any record of the domain. */
export const HIDDEN_REASON = 'The reason is shown to those who see the whole domain'
export const HIDDEN_CODE = 'reason_hidden'

/** As people read the name beside it; missing in what was told before there was one. */
export const UnicodeName = Type.Optional(
  Type.String({ description: 'The name as people read it', examples: ['example.com'] }),
)

/** Metadata of what is about a domain. */
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

/** Metadata with each name as people read it, for words. */
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
