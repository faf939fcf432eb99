import { isIP } from 'node:net'
import { absoluteName, parseHostName } from '../../dns/names/names.ts'
import { checkValue } from '../../dns/types/index.ts'
import type { RecordType, StoredAlternative, StoredProbe } from '../../db/tables/index.ts'
import { invalid, type FieldError } from '../../plugins/http/errors.ts'
import type { Probe } from '../../plugins/outbound/probe.ts'
import type { CheckBody, CreateBody, EditBody } from './schemas.ts'
import type { MonitorRow, Settings } from './queries.ts'
import { hasOwnTargets, targetsOf } from './targets.ts'

type Given = Pick<CreateBody, 'alternatives' | 'check'> & Omit<EditBody, 'revision'>

const TIMEOUT_SECONDS = 5
const HOST = { what: 'a check needs a host', underscore: true, root: false }
const USUAL = {
  intervalSeconds: 30,
  failures: 3,
  successes: 5,
  holdDownSeconds: 300,
  back: 'automatic',
  maintenance: [],
} as const

/** Reads what a user gives, with canonical values and names. Throws a 400 with all faults. `before`: what stays as it is. */
export function readSettings(
  probe: Probe,
  of: { domainName: string; name: string; type: RecordType },
  given: Given | EditBody,
  before?: MonitorRow,
): Settings {
  const errors: FieldError[] = []
  const interval = given.intervalSeconds ?? before?.interval_seconds ?? USUAL.intervalSeconds
  const check = given.check ? readCheck(given.check, of, errors) : (before as MonitorRow).probe
  if (check.timeoutSeconds >= interval)
    errors.push({
      path: '/check/timeoutSeconds',
      code: 'maximum',
      message: `must be less than the interval of ${interval} s`,
      params: { limit: interval - 1 },
    })
  const alternatives = given.alternatives
    ? readAlternatives(given.alternatives, of.type, errors)
    : (before as MonitorRow).alternatives
  checkTargets(probe, alternatives, check, errors)
  const maintenance = given.maintenance ?? before?.maintenance ?? [...USUAL.maintenance]
  for (const [at, { from, until }] of maintenance.entries()) {
    if (Date.parse(until) <= Date.parse(from))
      errors.push({
        path: `/maintenance/${at}/until`,
        code: 'minimum',
        message: 'must be after `from`',
        params: { limit: from },
      })
  }
  if (errors.length > 0) throw invalid(...errors)
  return {
    alternatives,
    probe: check,
    interval_seconds: interval,
    failures: given.failures ?? before?.failures ?? USUAL.failures,
    successes: given.successes ?? before?.successes ?? USUAL.successes,
    hold_down_seconds: given.holdDownSeconds ?? before?.hold_down_seconds ?? USUAL.holdDownSeconds,
    back: given.back ?? before?.back ?? USUAL.back,
    maintenance,
  }
}

function readAlternatives(
  given: CreateBody['alternatives'],
  type: RecordType,
  errors: FieldError[],
): StoredAlternative[] {
  const names = new Set<string>()
  const sets = new Set<string>()
  return given.map(({ name, values, targets }, at) => {
    const path = `/alternatives/${at}`
    const read = values.map((value, position) => {
      const checked = checkValue(type, value)
      if (checked.ok) return checked.value
      errors.push(
        ...checked.errors.map(({ code, message, params }) => ({
          path: `${path}/values/${position}`,
          code,
          message,
          ...(params && { params }),
        })),
      )
      return value
    })
    const unique = [...new Set(read)]
    const set = unique.toSorted().join('\n')
    if (names.has(name)) errors.push(duplicate(`${path}/name`))
    if (sets.has(set)) errors.push(duplicate(`${path}/values`))
    names.add(name)
    sets.add(set)
    if (!targets && !hasOwnTargets(type))
      errors.push({
        path: `${path}/targets`,
        code: 'required',
        message: `is required for ${type}, whose values are not addresses`,
      })
    return { name, values: unique, targets: targets ?? null }
  })
}

const duplicate = (path: string): FieldError => ({
  path,
  code: 'duplicate',
  message: 'is the same as in another alternative',
})

/** Targets must be addresses or host names that the outbound guard does not forbid already. */
function checkTargets(
  probe: Probe,
  alternatives: readonly StoredAlternative[],
  { kind, port }: StoredProbe,
  errors: FieldError[],
): void {
  for (const [at, alternative] of alternatives.entries()) {
    const member = alternative.targets ? 'targets' : 'values'
    for (const [position, target] of targetsOf(alternative).entries()) {
      const path = `/alternatives/${at}/${member}/${position}`
      const isAddress = isIP(target) !== 0 && !target.includes('%')
      const isName = !isAddress && parseHostName(target, HOST).ok
      if (kind === 'dns' ? !isAddress : !isAddress && !isName)
        errors.push({
          path,
          code: 'server_address',
          message: kind === 'dns' ? 'must be an IP address' : 'must be an IP address or a host name',
        })
      else if (isAddress && !probe.allows(target, port))
        errors.push({
          path,
          code: 'receiver_blocked',
          message: `${target}:${port} is not a public address; to allow it, add it to OUTBOUND_ALLOW`,
        })
    }
  }
}

function readCheck(
  { kind, timeoutSeconds = TIMEOUT_SECONDS, ...given }: CheckBody,
  { domainName, name }: { domainName: string; name: string },
  errors: FieldError[],
): StoredProbe {
  requireUsed(kind, given, errors)
  if (kind === 'tcp') {
    if (given.port === undefined)
      errors.push({ path: '/check/port', code: 'required', message: 'is required for tcp' })
    return { kind, timeoutSeconds, port: given.port ?? 0 }
  }
  if (kind === 'dns') {
    const queryType = given.queryType ?? 'NS'
    return {
      kind,
      timeoutSeconds,
      port: given.port ?? 53,
      query: readHost(given.query ?? domainName, '/check/query', errors),
      queryType,
      contains: readContained(queryType, given.contains, errors),
    }
  }
  const tls = given.tls ?? false
  const host = given.host ?? absoluteName(name, domainName).replace(/^\*\./, '')
  return {
    kind,
    timeoutSeconds,
    port: given.port ?? (tls ? 443 : 80),
    tls,
    host: isIP(host) === 0 ? readHost(host, '/check/host', errors) : host,
    path: given.path ?? '/',
    status: given.status ?? [],
    contains: given.contains ?? null,
    verifyCertificate: tls && (given.verifyCertificate ?? true),
    certificateDays: tls ? (given.certificateDays ?? null) : null,
  }
}

const USED: Record<CheckBody['kind'], ReadonlySet<string>> = {
  http: new Set([
    'port',
    'tls',
    'host',
    'path',
    'status',
    'contains',
    'verifyCertificate',
    'certificateDays',
  ]),
  tcp: new Set(['port']),
  dns: new Set(['port', 'query', 'queryType', 'contains']),
}

function requireUsed(kind: CheckBody['kind'], given: object, errors: FieldError[]): void {
  for (const member of Object.keys(given)) {
    if (USED[kind].has(member)) continue
    errors.push({ path: `/check/${member}`, code: 'not_used', message: `is not used by ${kind}` })
  }
}

function readHost(given: string, path: string, errors: FieldError[]): string {
  const read = parseHostName(given, HOST)
  if (read.ok) return read.name
  errors.push({ path, code: read.code, message: read.reason })
  return given
}

function readContained(type: RecordType, value: string | undefined, errors: FieldError[]): string | null {
  if (value === undefined) return null
  const checked = checkValue(type, value)
  if (checked.ok) return checked.value
  errors.push(
    ...checked.errors.map(({ code, message, params }) => ({
      path: '/check/contains',
      code,
      message,
      ...(params && { params }),
    })),
  )
  return null
}
