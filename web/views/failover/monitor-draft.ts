import type { ConsoleApi, Schemas } from '../../api/schema.d.ts'

type NewBody = ConsoleApi['/api/domains/{id}/failover-monitors']['POST']['body']
type Settings = Omit<NewBody, 'name' | 'recordType'>
type Check = NewBody['check']

export interface DraftAlternative {
  key: number
  name: string
  values: string[]
  targets: string[]
}

export interface DraftWindow {
  key: number
  /** UTC; null: not entered yet. */
  from: string | null
  until: string | null
}

/** Members that the kind doesn't use are kept while another one is tried. NaN: no number is entered. */
export interface DraftCheck {
  kind: Check['kind']
  port: number
  timeoutSeconds: number
  tls: boolean
  host: string
  path: string
  status: string[]
  contains: string
  verifyCertificate: boolean
  certificateDays: number
  query: string
  queryType: string
}

/** Settings of a monitor as they are typed. */
export interface Draft {
  alternatives: DraftAlternative[]
  check: DraftCheck
  intervalSeconds: number
  failures: number
  successes: number
  holdDownSeconds: number
  back: Schemas['FailoverMonitor']['back']
  maintenance: DraftWindow[]
}

export const MAX_ALTERNATIVES = 4
export const MAX_WINDOWS = 20

let made = 0
/** Unique among the rows of a form. */
export const newKey = (): number => (made += 1)

export const emptyDraft = (): Draft => ({
  alternatives: ['primary', 'backup'].map((name) => ({ key: newKey(), name, values: [], targets: [] })),
  check: {
    kind: 'http',
    port: NaN,
    timeoutSeconds: 5,
    tls: true,
    host: '',
    path: '/',
    status: [],
    contains: '',
    verifyCertificate: true,
    certificateDays: NaN,
    query: '',
    queryType: 'NS',
  },
  intervalSeconds: 30,
  failures: 3,
  successes: 5,
  holdDownSeconds: 300,
  back: 'automatic',
  maintenance: [],
})

export const draftOf = (monitor: Schemas['FailoverMonitor']): Draft => {
  const { check } = monitor
  return {
    alternatives: monitor.alternatives.map(({ name, values, targets }) => ({
      key: newKey(),
      name,
      values: [...values],
      targets: [...(targets ?? [])],
    })),
    check: {
      ...check,
      host: check.host ?? '',
      path: check.path ?? '/',
      status: check.status.map(String),
      contains: check.contains ?? '',
      // Certificates are checked unless somebody says otherwise.
      verifyCertificate: check.verifyCertificate || !check.tls,
      certificateDays: check.certificateDays ?? NaN,
      query: check.query ?? '',
      queryType: check.queryType ?? 'NS',
    },
    intervalSeconds: monitor.intervalSeconds,
    failures: monitor.failures,
    successes: monitor.successes,
    holdDownSeconds: monitor.holdDownSeconds,
    back: monitor.back,
    maintenance: monitor.maintenance.map((window) => ({ key: newKey(), ...window })),
  }
}

/** As it is sent; the service says what is missing. */
export function settingsOf({ alternatives, check, maintenance, ...numbers }: Draft): Settings {
  return {
    alternatives: alternatives.map(({ name, values, targets }) => ({
      name: name.trim(),
      values,
      ...(targets.length > 0 && { targets }),
    })),
    check: checkOf(check),
    maintenance: maintenance.map(({ from, until }) => ({ from: from ?? '', until: until ?? '' })),
    ...numbers,
  }
}

function checkOf({ kind, timeoutSeconds, ...draft }: DraftCheck): Check {
  const common = { kind, timeoutSeconds, ...given('port', draft.port) }
  if (kind === 'tcp') return common
  const contains = given('contains', draft.contains)
  if (kind === 'dns')
    return {
      ...common,
      ...contains,
      ...given('query', draft.query),
      queryType: draft.queryType,
    }
  const { tls, status, verifyCertificate, certificateDays } = draft
  return {
    ...common,
    ...contains,
    tls,
    ...given('host', draft.host),
    ...given('path', draft.path),
    status: status.map(Number),
    ...(tls && { verifyCertificate, ...given('certificateDays', certificateDays) }),
  }
}

/** Left out while nothing is entered. */
function given<Name extends string, Value extends string | number>(name: Name, value: Value) {
  const typed = typeof value === 'string' ? value.trim() : value
  const isEmpty = typed === '' || Number.isNaN(typed)
  return (isEmpty ? {} : { [name]: typed }) as Partial<Record<Name, Value>>
}

/** Fields of the form, for errors. */
export const fieldsOf = ({ alternatives, maintenance }: Draft): string[] => [
  ...alternatives.flatMap((_, at) =>
    ['name', 'values', 'targets'].map((part) => `alternatives.${at}.${part}`),
  ),
  ...[
    'kind',
    'port',
    'timeoutSeconds',
    'host',
    'path',
    'status',
    'contains',
    'certificateDays',
    'query',
    'queryType',
  ].map((part) => `check.${part}`),
  'intervalSeconds',
  'failures',
  'successes',
  'holdDownSeconds',
  ...maintenance.flatMap((_, at) => ['from', 'until'].map((part) => `maintenance.${at}.${part}`)),
  'name',
]
