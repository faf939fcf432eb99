import type { DnsRecord, Edit, Fields, Tried } from '../model.ts'
import { fieldsOf } from '../model.ts'

type Before = [id: string, edit: Edit | undefined][]

/** Time for which a changed record is highlighted, in milliseconds. */
const FRESH_MS = 10_000

/**
 * Unapplied edits of one zone, with undo. Kept outside React, so that a keystroke renders one row, and in the tab's
 * session storage under the user's id.
 */
export class Staged {
  #edits = new Map<string, Edit>()
  readonly #past: Before[] = []
  readonly #future: Before[] = []
  readonly #listeners = new Set<() => void>()
  readonly #key: string
  #made = 0
  /** Recently changed records. */
  #applied: ReadonlySet<string> = new Set()
  #ageing: ReturnType<typeof setTimeout> | undefined
  /** Increases with each change, for components that use all edits. */
  #version = 0
  /** Called with a new edit if it is the only one. */
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

  /** Counts by kind, and of failed and pending edits. */
  counts(): Record<Edit['kind'] | Tried['state'], number> {
    const counts = { create: 0, update: 0, delete: 0, failed: 0, pending: 0 }
    for (const { kind, tried } of this.#edits.values()) {
      counts[kind]++
      if (tried) counts[tried.state]++
    }
    return counts
  }

  /** Stages new records as one step. Returns their local ids. */
  create(all: readonly Fields[]): string[] {
    const added = all.map((fields): [string, Edit] => {
      this.#made++
      return [`new-${Date.now().toString(36)}-${this.#made}`, { kind: 'create', fields }]
    })
    this.#commit(added)
    return added.map(([id]) => id)
  }

  /** Stages edits as one step; an edit back to the stored values is dropped. */
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

  /** Stages deletions; new records are dropped. */
  remove(records: readonly { id: string; record: DnsRecord | null }[]): void {
    this.#commit(
      records.map(({ id, record }) => [id, record ? { kind: 'delete', version: record.version } : undefined]),
    )
  }

  /** Drops the edits of these records. */
  drop(ids: readonly string[]): void {
    this.#step(ids.map((id) => [id, undefined]))
  }

  /** Rebases an edit on the current record, after another user changed it. */
  rebase(record: DnsRecord): void {
    const edit = this.#edits.get(record.id)
    if (edit && edit.kind !== 'create') this.#step([[record.id, { ...edit, version: record.version }]])
  }

  /** Edits with a pending outcome. */
  get pending(): [string, Edit & { tried: Tried }][] {
    return this.entries().flatMap(([id, edit]) =>
      edit.tried?.state === 'pending' ? [[id, { ...edit, tried: edit.tried }]] : [],
    )
  }

  /**
   * Unstages applied edits, which can then be reverted but not undone; others keep their outcome. `records`: ids of created
   * or changed records, which are highlighted for a while.
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

  /** Undo covers edits, not their outcomes. */
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

  /** Returns the previous edits. */
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
      // Storage is full or forbidden: the draft lasts as long as the page.
    }
    for (const listener of this.#listeners) listener()
  }
}

const open = new Map<string, Staged>()

/** Edits of a zone: one store per page, so that leaving the view keeps them. */
export function stagedOf(userId: string, domainId: string): Staged {
  const key = `${userId}:${domainId}`
  const staged = open.get(key) ?? new Staged(userId, domainId)
  open.set(key, staged)
  return staged
}
