import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { txtFromText } from '../../../dns/types/txt.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { Capabilities } from '../../providers/contract.ts'
import { toEdits } from '../apply/provider/provider-edits.ts'
import type { RecordContent, Step } from './change.ts'
import type { Plan, Refusal } from './plan-outcome.ts'
import type { ZoneFacts } from './zone-rules.ts'

/** The DNS provider that a record is written to. */
interface Host {
  providerName: string
  capabilities: Capabilities
}

/** Fields that the provider already holds with this value, so they are not checked. */
interface Held {
  name?: boolean
  /** For the same type. */
  value?: boolean
  /** In the record or its RRset. */
  ttl?: boolean
}

/** Returns why the provider can't hold the record, by field; empty if it can. */
export const checkCapabilities = (content: RecordContent, host: Host, held: Held = {}): FieldError[] => [
  ...checkType(content, host),
  ...(held.name ? [] : checkName(content, host)),
  ...(held.value ? [] : checkValue(content, host)),
  ...checkTtl(content, host, held),
  ...checkServing(content, host),
]

function checkType({ type }: RecordContent, { providerName, capabilities }: Host): FieldError[] {
  const { recordTypes, otherTypes } = capabilities
  if (recordTypes.includes(type) || (otherTypes && typeOf(type).isUnknown)) return []
  return [
    {
      path: '/recordType',
      code: 'type_unsupported',
      message: `${providerName} does not support ${type} records`,
      params: { provider: providerName, recordType: type },
    },
  ]
}

function checkName({ name, type }: RecordContent, { providerName, capabilities }: Host): FieldError[] {
  const refusal = (code: ReasonCode, message: string): FieldError[] => [
    { path: '/name', code, message, params: { provider: providerName, recordType: type } },
  ]
  if (!capabilities.wildcards && /^\*(\.|$)/.test(name))
    return refusal('wildcard_unsupported', `must not be a wildcard at ${providerName}`)
  if (!capabilities.underscores && /(^|\.)_/.test(name))
    return refusal('underscore_unsupported', `must not have a label that begins with _ at ${providerName}`)
  if (!capabilities.apexAlias && name === '@' && (type === 'ALIAS' || type === 'ANAME'))
    return refusal('apex_alias_unsupported', `must be below the apex for ${type} at ${providerName}`)
  return []
}

function checkValue({ type, value }: RecordContent, host: Host): FieldError[] {
  const { providerName, capabilities } = host
  if (type === 'MX' && value === '0 .' && !capabilities.nullMx) {
    const message = `must name a mail server: ${providerName} does not support a null MX (RFC 7505)`
    return [{ path: '/value', code: 'null_mx_unsupported', message, params: { provider: providerName } }]
  }
  return type === 'TXT' ? checkText(value, host) : []
}

function checkText(value: string, { providerName, capabilities }: Host): FieldError[] {
  const { maxLength, strings, beyondAscii, without } = capabilities.txt
  const refusal = (code: ReasonCode, message: string, params = {}): FieldError[] => [
    { path: '/value', code, message, params: { provider: providerName, ...params } },
  ]
  const bytes = bytesOfText(value)
  if (bytes.length > maxLength) {
    const message = `must have at most ${maxLength} bytes at ${providerName}`
    return refusal('text_long', message, { maximum: maxLength })
  }
  const text = bytes.toString()
  if (!strings && txtFromText(text) !== value)
    return refusal('text_strings', `must be a single string, because ${providerName} joins strings`)
  if (!beyondAscii && bytes.some((byte) => byte > 0x7e))
    return refusal('text_ascii', `must contain only ASCII characters at ${providerName}`)
  const unfit = without.find((character) => text.includes(character))
  return unfit === undefined
    ? []
    : refusal('text_character', `must not contain ${unfit} at ${providerName}`, { character: unfit })
}

function checkTtl({ ttl }: RecordContent, { providerName, capabilities }: Host, held: Held): FieldError[] {
  const { automaticTtl, minTtl, maxTtl, ttls } = capabilities
  if (ttl === null) {
    const message = `is required: ${providerName} does not choose a TTL`
    return automaticTtl
      ? []
      : [{ path: '/ttl', code: 'ttl_needed', message, params: { provider: providerName } }]
  }
  if (held.ttl) return []
  if (ttl < minTtl || ttl > maxTtl) {
    const params = { provider: providerName, minimum: minTtl, maximum: maxTtl }
    const message = `must be ${minTtl} to ${maxTtl} at ${providerName}`
    return [{ path: '/ttl', code: 'ttl_range', message, params }]
  }
  if (ttls === undefined || ttls.includes(ttl)) return []
  const message = `must be one of ${ttls.join(', ')} at ${providerName}`
  return [
    {
      path: '/ttl',
      code: 'ttl_choice',
      message,
      params: { provider: providerName, choices: ttls.join(', ') },
    },
  ]
}

function checkServing(content: RecordContent, { providerName, capabilities }: Host): FieldError[] {
  const errors: FieldError[] = []
  const params = { provider: providerName }
  if (content.proxied && !capabilities.proxied)
    errors.push({
      path: '/proxied',
      code: 'proxy_unsupported',
      message: `${providerName} does not offer a proxy`,
      params,
    })
  if (content.routing && !capabilities.routing) {
    const message = `${providerName} supports only one RRset for a name and type`
    errors.push({ path: '/routing', code: 'routing_unsupported', message, params })
  }
  if (!content.enabled && !capabilities.disabledRecords)
    errors.push({
      path: '/enabled',
      code: 'disabling_unsupported',
      message: `${providerName} does not support disabled records`,
      params,
    })
  return errors
}

/** The fields of a record as API errors name them. */
const PATHS = { name: '/name', type: '/recordType', value: '/value', ttl: '/ttl' }

/** Refuses the requests that the provider would refuse by rules of its own, with the steps that follow from them. */
export function auditPlan(
  { name, providerName: provider, audit, capabilities }: ZoneFacts,
  plan: Plan,
): Plan {
  if (audit === undefined || plan.steps.length === 0) return plan
  const { edits, parts } = toEdits(plan.steps, capabilities)
  const found = audit(name, edits)
  if (found.length === 0) return plan
  const steps = new Map([...parts].flatMap(([step, changes]) => changes.map((change) => [change, step])))
  const refused = new Set<Step>()
  const errors = new Map<number, FieldError[]>()
  for (const { edit, change, field, code, message } of found) {
    const refusedChange = edits[edit]?.changes[change]
    const step = refusedChange && steps.get(refusedChange)
    if (step === undefined) continue
    refused.add(step)
    const index = step.index ?? 0
    errors.set(index, [
      ...(errors.get(index) ?? []),
      { path: PATHS[field], code, message, params: { provider } },
    ])
  }
  return {
    ...plan,
    // Steps without an index, such as aligned TTLs, follow from several requests.
    steps: plan.steps.filter(
      (step) => !refused.has(step) && (step.index === null || !errors.has(step.index)),
    ),
    refusals: [...plan.refusals, ...[...errors].map(toRefusal)],
  }
}

const toRefusal = ([index, all]: [number, FieldError[]]): Refusal => {
  // When a record moves, its old and new name may be refused for the same reason.
  const errors = all.filter(({ path, message }, i) =>
    all.slice(0, i).every((other) => other.path !== path || other.message !== message),
  )
  const detail = errors.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('; ')
  return { index, kind: 'invalid', code: 'invalid', params: {}, detail, errors, record: null }
}
