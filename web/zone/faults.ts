import { isIpv4, isIpv6 } from '../../dns/addresses/ip.ts'
import { type NameResult, parseHostName, parseOwner } from '../../dns/names/names.ts'
import type { DnsCode } from '../../dns/text/codes.ts'
import { readTtl, takesTtl, type TtlLimits } from './ttl.ts'

/**
 * Errors in what is typed, found before the service is asked: its rules for the most common types, never stricter. The
 * service decides.
 */
export type Fault =
  | {
      kind:
        | 'empty'
        | 'ipv4'
        | 'ipv6'
        | 'name'
        | 'not-full'
        | 'not-a-name'
        | 'underscore'
        | 'root'
        | 'no-mail'
        | 'port'
        | 'control'
        | 'too-long'
        | 'wildcard'
        | 'outside'
        | 'ttl'
    }
  | { kind: 'range'; maximum: number }
  | { kind: 'form'; form: string }
  | { kind: 'ttl-out'; limits: TtlLimits }

type Check = (text: string) => Fault | null

/** Name errors with their own message; all others share one. */
const NAME_FAULTS: Partial<
  Record<DnsCode, 'root' | 'not-a-name' | 'not-full' | 'underscore' | 'wildcard' | 'outside'>
> = {
  name_root: 'root',
  name_is_address: 'not-a-name',
  name_numeric: 'not-a-name',
  name_not_full: 'not-full',
  name_underscore: 'underscore',
  name_wildcard: 'wildcard',
  name_outside_zone: 'outside',
}

const faultOf = (result: NameResult): Fault | null =>
  result.ok ? null : { kind: NAME_FAULTS[result.code] ?? 'name' }

/** Full name of another host. */
const target =
  ({ underscore = false, root = false }): Check =>
  (text) =>
    faultOf(parseHostName(text, { what: '', underscore, root }))

const whole =
  (maximum: number): Check =>
  (text) =>
    /^\d{1,10}$/.test(text) && Number(text) <= maximum ? null : { kind: 'range', maximum }

const any: Check = () => null

/** Checks by field. */
const CHECKS: Readonly<Record<string, readonly Check[]>> = {
  A: [(text) => (isIpv4(text) ? null : { kind: 'ipv4' })],
  AAAA: [(text) => (isIpv6(text) ? null : { kind: 'ipv6' })],
  ALIAS: [target({ underscore: true })],
  ANAME: [target({ underscore: true })],
  CNAME: [target({ underscore: true })],
  NS: [target({})],
  MX: [whole(65_535), target({ root: true })],
  SRV: [whole(65_535), whole(65_535), whole(65_535), target({ root: true })],
  CAA: [whole(255), any, any],
}
const FORMS: Readonly<Record<string, string>> = {
  MX: '10 mail.example.com',
  SRV: '10 60 5060 sip.example.com',
  CAA: '0 issue "letsencrypt.org"',
}

/** Errors by field; types without checks are left to the service. */
export function faultsOfFields(recordType: string, texts: readonly string[]): (Fault | null)[] {
  const checks = CHECKS[recordType]
  const faults = texts.map((given, at): Fault | null => {
    const text = given.trim()
    if (checks && text === '') return { kind: 'empty' }
    return checks?.[at]?.(text) ?? null
  })
  const [first = '', , third = ''] = texts
  // RFC 7505: null MX; RFC 6186 section 3.4: service not available.
  if (recordType === 'MX' && texts[1]?.trim() === '.' && Number(first) !== 0)
    faults[0] ??= { kind: 'no-mail' }
  if (recordType === 'SRV' && texts[3]?.trim() !== '.' && Number(third) === 0) faults[2] ??= { kind: 'port' }
  return faults
}

/** Limit in code points. */
const TEXT = /^.{0,2048}$/su
// oxlint-disable-next-line no-control-regex -- characters that text can't contain
const CONTROL = /[\0-\x08\x0a-\x1f\x7f-\x9f]/

/** Quoted values and escapes are left to the service. */
function faultOfText(value: string): Fault | null {
  if (value.trimStart().startsWith('"')) return null
  if (CONTROL.test(value)) return { kind: 'control' }
  return TEXT.test(value) ? null : { kind: 'too-long' }
}

/** Splits flags, tag and value; the value may be unquoted. */
function wordsOfCaa(value: string): string[] | null {
  const [, flags = '', tag = '', rest = ''] = /^(\d+)[ \t]+([a-z0-9]+)(?:[ \t]+(.*))?$/i.exec(value) ?? []
  const isQuoted = /^"(?:\\.|[^"\\])*"$/.test(rest)
  if (flags === '' || (rest.includes('"') && !isQuoted)) return null
  return [flags, tag, isQuoted ? rest.slice(1, -1) : rest]
}

/** Error in a value. `hasPriority`: an existing record of the type, whose priority stays if the value omits it. */
export function faultOfValue(
  { recordType, value: given }: { recordType: string; value: string },
  hasPriority = false,
): Fault | null {
  const value = given.trim()
  if (value === '') return { kind: 'empty' }
  if (recordType === 'TXT') return faultOfText(given)
  const count = CHECKS[recordType]?.length ?? 0
  if (count === 0) return null
  const words = count === 1 ? [value] : recordType === 'CAA' ? wordsOfCaa(value) : value.split(/\s+/)
  const texts = hasPriority && recordType !== 'CAA' && words?.length === count - 1 ? ['0', ...words] : words
  if (texts?.length !== count) return { kind: 'form', form: FORMS[recordType] ?? '' }
  return faultsOfFields(recordType, texts).find((fault) => fault !== null) ?? null
}

/** Error in the name of a record of `zone`, relative or full. */
export const faultOfName = (text: string, zone: string): Fault | null =>
  text.trim() === '' ? null : faultOf(parseOwner(text, zone))

/** Error in a typed TTL. `limits`: those of the provider. */
export function faultOfTtl(text: string, limits: TtlLimits | undefined): Fault | null {
  const ttl = readTtl(text)
  if (ttl === null) return { kind: 'ttl' }
  return limits !== undefined && ttl > 0 && !takesTtl(ttl, limits) ? { kind: 'ttl-out', limits } : null
}
