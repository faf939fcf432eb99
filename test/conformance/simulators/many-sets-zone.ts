import { noteSiblings } from '../../../modules/providers/shared/siblings.ts'
import { isDeepStrictEqual } from 'node:util'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import {
  ProviderError,
  type ChangeOutcome,
  type Dnssec,
  type Member,
  type MemberChange,
  type RRset,
  type RRsetEdit,
  type Soa,
} from '../../../modules/providers/contract.ts'

let ids = 0

/** A zone of `ManySets`: it holds what it is given and nothing else, so that what is not given back is lost. */
export class ManySetsZone {
  rrsets = new Map<string, RRset>()
  soa: Soa = {
    primary: 'ns1.example.net',
    mailbox: 'hostmaster.example.net',
    serial: 1,
    refresh: 10_800,
    retry: 3_600,
    expire: 1_209_600,
    minimum: 3_600,
    ttl: 3_600,
  }

  dnssec: Dnssec = { signed: false, ds: [] }

  sign(signed: boolean): void {
    this.dnssec = { signed, ds: signed ? [`12345 13 2 ${'ab'.repeat(32)}`] : [] }
  }

  put(...rrsets: RRset[]): void {
    for (const rrset of rrsets) this.rrsets.set(rrsetKey(rrset), structuredClone(rrset))
  }

  /** Whole or not at all, and then throws ProviderError, or each edit on its own. `hasIds`: each record gets an id. */
  change(
    edits: RRsetEdit[],
    isAtomic: boolean,
    hasIds: boolean,
  ): { outcomes: ChangeOutcome[][]; isChanged: boolean } {
    const before = structuredClone(this.rrsets)
    for (const edit of edits) {
      const members = this.rrsets.get(rrsetKey(edit))?.members ?? []
      noteSiblings(
        edit,
        members.map(({ value }) => value),
      )
    }
    const outcomes = edits.map((edit) => {
      const previous = structuredClone(this.rrsets)
      const members = this.#edit(edit, hasIds)
      const clash = isAtomic ? null : this.#clash()
      if (clash !== null) this.rrsets = previous
      return edit.changes.map((change): ChangeOutcome => {
        if (clash !== null) return { ok: false, error: clash }
        const wanted = change.action === 'replace' ? change.to : change.member
        return { ok: true, providerId: members.get(wanted.value)?.providerId ?? null }
      })
    })
    const clash = this.#clash()
    if (clash !== null) {
      this.rrsets = before
      throw clash
    }
    return { outcomes, isChanged: !isDeepStrictEqual(this.rrsets, before) }
  }

  #edit({ name, type, routing, ttl, extra, changes }: RRsetEdit, hasIds: boolean): Map<string, Member> {
    const key = rrsetKey({ name, type, routing })
    const held = this.rrsets.get(key)
    const members = new Map((held?.members ?? []).map((member) => [member.value, member]))
    for (const change of changes) changeMembers(members, change)
    if (hasIds) for (const member of members.values()) member.providerId ??= `id-${++ids}`
    if (members.size === 0) this.rrsets.delete(key)
    else
      this.rrsets.set(key, {
        name,
        type,
        ttl,
        ...(routing && { routing }),
        ...(extra !== undefined && { extra }),
        members: [...members.values()],
      })
    return members
  }

  /** Why it can't stay so: a CNAME has no others beside it (RFC 1034 section 3.6.2). */
  #clash(): ProviderError | null {
    const served = [...this.rrsets.values()].filter(
      ({ name, members }) => name !== '@' && members.some(({ disabled }) => !disabled),
    )
    const aliases = new Set(served.flatMap(({ name, type }) => (type === 'CNAME' ? [name] : [])))
    const other = served.find(({ name, type }) => aliases.has(name) && type !== 'CNAME')
    return other === undefined
      ? null
      : new ProviderError('rejected', `Many Sets takes no other records beside the CNAME ${other.name}`)
  }
}

function changeMembers(members: Map<string, Member>, change: MemberChange): void {
  if (change.action === 'remove') return takeAway(members, change.member)
  if (change.action === 'add') return add(members, change.member, members.get(change.member.value))
  const { from, to } = change
  const held = members.get(from.value)
  const isAsKnown = held?.disabled === from.disabled
  if (from.value !== to.value) {
    takeAway(members, from)
    return add(members, to, isAsKnown ? held : undefined)
  }
  // Whether it is served is not for who did not mean to change it.
  const meant = from.disabled !== to.disabled || held === undefined
  add(members, meant ? to : { ...to, ...(held.disabled && { disabled: true }) }, held)
}

/** With the id of what it replaces. */
function add(members: Map<string, Member>, member: Member, like: Member | undefined): void {
  const { providerId = like?.providerId, ...rest } = structuredClone(member)
  members.set(member.value, { ...rest, ...(providerId !== undefined && { providerId }) })
}

function takeAway(members: Map<string, Member>, member: Member): void {
  const held = members.get(member.value)
  if ((held?.disabled ?? false) === (member.disabled ?? false)) members.delete(member.value)
}
