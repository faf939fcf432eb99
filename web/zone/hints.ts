import { allowsAll, countLookups, MAX_LOOKUPS, parseTerms } from '../../dns/mail-policy/spf-terms.ts'
import { relativeName } from '../../dns/names/names.ts'
import { policyOf, type Policy } from './text-policies.ts'

/** Record types by name (`@`, `www`). */
export type ZoneTypes = ReadonlyMap<string, ReadonlySet<string>>

export function typesByName(records: readonly { name: string; recordType: string }[]): ZoneTypes {
  const types = new Map<string, Set<string>>()
  for (const { name, recordType } of records) {
    const own = types.get(name)
    if (own) own.add(recordType)
    else types.set(name, new Set([recordType]))
  }
  return types
}

/** A hint about a value being typed; the view has the text. */
export type Hint =
  | {
      kind:
        | 'private'
        | 'documentation'
        | 'apex-alias'
        | 'not-alone'
        | 'chain'
        | 'null-mx'
        | 'alias-target'
        | 'no-address'
        | 'delegation'
        | 'apex-ns'
        | 'spf-open'
    }
  | { kind: 'spf-lookups'; count: number }
  | { kind: 'policy'; policy: Policy }
  | { kind: 'caa'; tag: string; nobody: boolean }

/** The zone around a record, and capabilities of its provider. */
export interface Around {
  domain: string
  types: ZoneTypes
  apexCname: boolean
  apexNs: boolean
}

interface Typed {
  name: string
  recordType: string
  value: string
}

/** RFC 1918, RFC 6598, loopback, link-local; ULA and link-local of IPv6. */
const PRIVATE =
  /^(10\.|127\.|169\.254\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)|^(f[cd]|fe[89ab])[0-9a-f]{0,2}:|^::1$/i
/** RFC 5737, RFC 3849. */
const DOCUMENTATION = /^(192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)|^2001:0?db8:/i

function addressHints(value: string): Hint[] {
  const addresses = value.split('\n').map((line) => line.trim())
  if (addresses.some((address) => PRIVATE.test(address))) return [{ kind: 'private' }]
  return addresses.some((address) => DOCUMENTATION.test(address)) ? [{ kind: 'documentation' }] : []
}

function textHints(typed: Typed): Hint[] {
  const policy = policyOf(typed)
  if (!policy) return []
  const terms = policy.of === 'SPF' ? parseTerms(typed.value.trim()) : []
  const count = countLookups(terms)
  return [
    { kind: 'policy', policy },
    ...(count > MAX_LOOKUPS ? [{ kind: 'spf-lookups', count } as const] : []),
    ...(terms.some(allowsAll) ? [{ kind: 'spf-open' } as const] : []),
  ]
}

/** For targets of mail or services, which need their own addresses (RFC 2181 section 10.3). */
function targetHints(value: string, { domain, types }: Around): Hint[] {
  const name = relativeName(value.trim().split(/\s+/).at(-1) ?? '', domain)
  if (name === null) return []
  const own = types.get(name)
  if (own?.has('CNAME')) return [{ kind: 'alias-target' }]
  return own?.has('A') || own?.has('AAAA') || own?.has('ALIAS') ? [] : [{ kind: 'no-address' }]
}

function aliasHints({ name, value }: Typed, { domain, types, apexCname }: Around): Hint[] {
  const others = [...(types.get(name) ?? [])].filter((type) => type !== 'CNAME' && type !== 'RRSIG')
  const target = relativeName(value.trim(), domain)
  return [
    ...(name === '@' && !apexCname ? [{ kind: 'apex-alias' } as const] : []),
    ...(name !== '@' && others.length > 0 ? [{ kind: 'not-alone' } as const] : []),
    ...(target !== null && types.get(target)?.has('CNAME') ? [{ kind: 'chain' } as const] : []),
  ]
}

/** Hints about a record being typed. */
export function hintsOf(typed: Typed, around: Around): Hint[] {
  const { name, recordType, value } = typed
  switch (recordType) {
    case 'A':
    case 'AAAA':
      return addressHints(value)
    case 'CNAME':
      return aliasHints(typed, around)
    case 'MX':
      return /^\d+\s+\.$/.test(value.trim()) ? [{ kind: 'null-mx' }] : targetHints(value, around)
    case 'SRV':
      return targetHints(value, around)
    case 'NS':
      if (name !== '@') return [{ kind: 'delegation' }]
      return around.apexNs ? [] : [{ kind: 'apex-ns' }]
    case 'CAA': {
      const [, tag, issuer = ''] = /^\S+\s+(\S+)\s+"?([^"]*)/.exec(value) ?? []
      return tag === undefined ? [] : [{ kind: 'caa', tag, nobody: /^\s*(;|$)/.test(issuer) }]
    }
    case 'TXT':
      return textHints(typed)
    default:
      return []
  }
}
