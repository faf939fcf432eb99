import type { DnsRecord, Edit, Fields, Tried } from '../model.ts'
import { fieldsOf } from '../model.ts'

type Before = [id: string, edit: Edit | undefined][]

/** So long it is said of a record that it was changed just now. */
const FRESH_MS = 10_000

/**
 * Edits of one zone that are not sent yet. They lie outside of React, so that a keystroke draws one row; they are kept
 * for the session of the tab, under the user's id, and each step can be taken back.
 */
export class Staged {
  #edits = new Map<string, Edit>()
  readonly #past: Before[] = []
  readonly #future: Before[] = []
  readonly #listeners = new Set<() => void>()
  readonly #key: string
  #made = 0
  /** Records that have become as they are just now. */
  #applied: ReadonlySet<string> = new Set()
  #ageing: ReturnType<typeof setTimeout> | undefined
  /** Rises with each change, for those who look at all of them. */
  #version = 0
  /** Told of an edit that somebody has made and that is the only one. */
  onOnly: ((id: string) => void) | null = null

  constructor(userId: string, domainId: string) {
    this.#key = `zonekeeper-draft:${userId}:${domainId}`
    const kept = sessionStorage.getItem(this.#key)
    if (kept !== null) this.#edits = new Map(JSON.parse(kept) as [string, Edit][])
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly version = (): number => this.#version
  readonly of = (id: string): Edit | undefined => this.#edits.get(id)
  readonly isApplied = (id: string): boolean => this.#applied.has(id)
  entries(): [string, Edit][] {
    return [...this.#edits]
  }
  get size(): number {
    return this.#edits.size
  }
  get canUndo(): boolean {
    return this.#past.length > 0
  }
  get canRedo(): boolean {
    return this.#future.length > 0
  }

  /** How many of each kind, and of those that were tried how many failed or are not known. */
  counts(): Record<Edit['kind'] | Tried['state'], number> {
    const counts = { create: 0, update: 0, delete: 0, failed: 0, pending: 0 }
    for (const { kind, tried } of this.#edits.values()) {
      counts[kind]++
      if (tried) counts[tried.state]++
    }
    return counts
  }

  /** Stages new records, as one step. Answers their ids here. */
  create(all: readonly Fields[]): string[] {
    const added = all.map((fields): [string, Edit] => {
      this.#made++
      return [`new-${Date.now().toString(36)}-${this.#made}`, { kind: 'create', fields }]
    })
    this.#commit(added)
    return added.map(([id]) => id)
  }

  /** Stages changes of records, as one step; a value back at its old state is no edit any more. */
  change(changes: readonly { id: string; record: DnsRecord | null; fields: Partial<Fields> }[]): void {
    this.#commit(
      changes.map(({ id, record, fields }) => {
        const edit = this.#edits.get(id)
        if (edit?.kind === 'create') return [id, { kind: 'create', fields: { ...edit.fields, ...fields } }]
        if (!record) return [id, edit]
        const all = { ...(edit?.kind === 'update' ? edit.fields : {}), ...fields }
        const old = fieldsOf(record)
        const real = Object.entries(all).filter(([field, value]) => value !== old[field as keyof Fields])
        const version = edit?.kind === 'update' ? edit.version : record.version
        return [
          id,
          real.length === 0 ? undefined : { kind: 'update', version, fields: Object.fromEntries(real) },
        ]
      }),
    )
  }

  /** Stages deletions; of new ones, that they are not made. */
  remove(records: readonly { id: string; record: DnsRecord | null }[]): void {
    this.#commit(
      records.map(({ id, record }) => [id, record ? { kind: 'delete', version: record.version } : undefined]),
    )
  }

  /** Forgets what is staged of those. */
  drop(ids: readonly string[]): void {
    this.#step(ids.map((id) => [id, undefined]))
  }

  /** Puts an edit on the record as it is now: after somebody else changed it. */
  rebase(record: DnsRecord): void {
    const edit = this.#edits.get(record.id)
    if (edit && edit.kind !== 'create') this.#step([[record.id, { ...edit, version: record.version }]])
  }

  /** Those of which it is not known yet whether they were done. */
  get pending(): [string, Edit & { tried: Tried }][] {
    return this.entries().flatMap(([id, edit]) =>
      edit.tried?.state === 'pending' ? [[id, { ...edit, tried: edit.tried }]] : [],
    )
  }

  /**
   * Forgets what was applied: that is undone by the service now, not here. The others keep what became of them.
   * `records`: the ids of those that were made or changed, for a while shown as such.
   */
  settle(
    applied: readonly string[],
    records: readonly string[],
    others: readonly (readonly [string, Tried])[] = [],
  ): void {
    for (const id of applied) this.#edits.delete(id)
    for (const [id, tried] of others) {
      const edit = this.#edits.get(id)
      if (edit) this.#edits.set(id, { ...edit, tried })
    }
    this.#past.length = 0
    this.#future.length = 0
    this.#applied = new Set([...this.#applied, ...records])
    clearTimeout(this.#ageing)
    this.#ageing = setTimeout(() => {
      this.#applied = new Set()
      this.#tell()
    }, FRESH_MS)
    this.#tell()
  }

  clear(): void {
    this.#edits.clear()
    this.#past.length = 0
    this.#future.length = 0
    this.#tell()
  }

  undo(): void {
    this.#swap(this.#past, this.#future)
  }
  redo(): void {
    this.#swap(this.#future, this.#past)
  }

  #swap(from: Before[], to: Before[]): void {
    const step = from.pop()
    if (!step) return
    to.push(this.#put(step))
    this.#tell()
  }

  /** What somebody edits, and not how they find their way through what they have edited. */
  #commit(edits: readonly (readonly [string, Edit | undefined])[]): void {
    this.#step(edits)
    const [only] = edits
    if (only && edits.length === 1 && this.size === 1 && this.of(only[0])) this.onOnly?.(only[0])
  }

  #step(edits: readonly (readonly [string, Edit | undefined])[]): void {
    this.#past.push(this.#put(edits))
    this.#future.length = 0
    this.#tell()
  }

  /** Answers what was there before. */
  #put(edits: readonly (readonly [string, Edit | undefined])[]): Before {
    const before: Before = edits.map(([id]) => [id, this.#edits.get(id)])
    for (const [id, edit] of edits) {
      if (edit) this.#edits.set(id, edit)
      else this.#edits.delete(id)
    }
    return before
  }

  #tell(): void {
    this.#version++
    try {
      if (this.#edits.size === 0) sessionStorage.removeItem(this.#key)
      else sessionStorage.setItem(this.#key, JSON.stringify([...this.#edits]))
    } catch {
      // There is no room, or no storage: the draft lives as long as the page.
    }
    for (const listener of this.#listeners) listener()
  }
}

const open = new Map<string, Staged>()

/** The edits of a zone: the same as long as the page is there, so that leaving a view keeps them. */
export function stagedOf(userId: string, domainId: string): Staged {
  const key = `${userId}:${domainId}`
  const staged = open.get(key) ?? new Staged(userId, domainId)
  open.set(key, staged)
  return staged
}
