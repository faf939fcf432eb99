import { MISSING, type Difference } from './compare.ts'
import type { Backend } from './scenario.ts'

/** A difference to PowerDNS that is meant, with its reason. docs/powerdns-api.md lists the same in the same words. */
export interface Accepted {
  what: string
  why: string
  /** The requests and places it is found at. */
  at: Place[]
}

interface Place {
  /** Of the scenario's name or of the request, such as `PATCH /api/v1/…`; all by default. */
  request?: RegExp
  /** Of `Difference.where`. */
  where: RegExp
  /** All, unless only some have it. */
  backends?: Backend[]
  /** Whether these values are what is accepted. */
  when?(difference: Difference): boolean
}

const from =
  (real: unknown, ours: unknown) =>
  (difference: Difference): boolean =>
    difference.real === real && difference.ours === ours

const OTHERS: Backend[] = ['cloudflare', 'manual']

export const ACCEPTED: Accepted[] = [
  {
    what: 'The version is 4.9.12',
    why: 'It is the first of 4.9 that has `EXTEND` and `PRUNE`; the answers were compared with 4.7',
    at: [{ where: /\.version$/, when: from('4.7.3', '4.9.12') }],
  },
  {
    what: '`EXTEND` and `PRUNE` work',
    why: 'PowerDNS has them since 4.9.12 and 5.0.2; the answers were compared with 4.7, which refuses them',
    at: [
      { request: /^EXTEND and PRUNE$/, where: /^status$|^body\.rrsets\[x\..*\.records\[192\.0\.2\.[13]\]$/ },
    ],
  },
  {
    what: 'Errors are always JSON',
    why: 'PowerDNS writes those other than 422 as text unless `Accept` asks for JSON; the status is the same, and the text is in `error`',
    at: [
      { where: /^type$/, when: from('text/plain', 'application/json') },
      { where: /^body$/, when: ({ real, ours }) => typeof real === 'string' && hasOnlyError(ours) },
    ],
  },
  {
    what: 'Other words in `error`',
    why: 'They say what the rule is and what to do, with the same status; programs must not depend on the words',
    at: [
      {
        where: /^body\.error$/,
        when: ({ real, ours }) => typeof real === 'string' && typeof ours === 'string',
      },
    ],
  },
  {
    what: '`account` of a zone is the name of its provider connection, and can only be given for new zones',
    why: 'It selects the connection of a new zone if you have several; an existing domain moves to another one in the console',
    at: [
      { where: /^body(\[[^\]]+\])?\.account$/, when: ({ real }) => real === '' },
      { request: /^PUT .*"account":"somebody"/, where: /^status$/, when: from(204, 422) },
    ],
  },
  {
    what: 'Zones are `Native`; other kinds become `Native` in a new zone, and are refused for an existing one',
    why: 'The DNS provider copies a zone to its own servers; Zonekeeper neither sends nor fetches zone transfers',
    at: [
      {
        request: /"kind":"Master"|^octoDNS creates a zone$/,
        where: /^body\.kind$/,
        when: from('Master', 'Native'),
      },
      { request: /^PUT .*"kind":"Master"/, where: /^status$/, when: from(204, 422) },
    ],
  },
  {
    what: 'A new zone needs no `kind`',
    why: 'There is only one kind',
    at: [{ request: /^POST .*{"name":"new\.[^"]*"}$/, where: /^status$/, when: from(422, 201) }],
  },
  {
    what: '`soa_edit_api` other than `DEFAULT` is refused',
    why: 'The DNS provider raises the serial in its own way',
    at: [{ request: /^PUT .*"soa_edit_api":"INCREASE"/, where: /^status$/, when: from(204, 422) }],
  },
  {
    what: 'In the list of zones, `dnssec` is missing for zones that were not read lately',
    why: 'Their DNS providers would all have to be asked',
    at: [{ where: /^body\[[^\]]+\]\.dnssec$/, when: ({ ours }) => ours === MISSING }],
  },
  {
    what: 'Zones at many providers have neither SOA nor apex NS records in `rrsets`',
    why: 'They belong to the provider, which does not show them or does not let them be changed',
    at: [
      {
        where: /^body\.rrsets\[s\d+\.\w+\.test\. (SOA|NS)\]$/,
        backends: OTHERS,
        when: ({ ours }) => ours === MISSING,
      },
    ],
  },
  {
    what: '`rrset_name` without a final dot is refused',
    why: 'PowerDNS finds nothing, which hides the mistake',
    at: [{ request: /^GET .*\?rrset_name=none\.[^&]*test$/, where: /^status$/, when: from(200, 422) }],
  },
  {
    what: 'The `account` of a comment is not kept, and may be missing',
    why: 'The history names the user and the token of each change',
    at: [
      {
        request: /^comments with an account$/,
        where: /\.comments\[[^\]]+\]\.account$/,
        when: from('somebody', ''),
      },
      { request: /"comments":\[\{"content":"another"\}\]/, where: /^status$/, when: from(422, 204) },
      { request: /^comments$/, where: /\.comments\[(web server|another)\]$/ },
    ],
  },
  {
    what: 'Disabled records are refused where the DNS provider has none',
    why: 'They would be published or lost',
    at: [{ request: /^disabled records$/, where: /^status$|^body\.rrsets\[x\./, backends: ['cloudflare'] }],
  },
  {
    what: 'One RRset is read with its disabled records',
    why: 'As PowerDNS 5.0 does; the answers were compared with 4.7, which shows them only in the whole zone',
    at: [
      {
        request: /^GET .*\?rrset_name=/,
        where: /\.records\[[^\]]+\]$/,
        when: ({ real, ours }) => real === MISSING && (ours as { disabled?: boolean }).disabled === true,
      },
    ],
  },
  {
    what: 'A CNAME at the apex is accepted where the DNS provider supports it',
    why: 'Cloudflare and others answer with the addresses of its target',
    at: [
      {
        request: /^RRsets that conflict$/,
        where: /^status$|^body\.rrsets\[s\d+\.\w+\.test\. CNAME\]$/,
        backends: ['cloudflare'],
      },
    ],
  },
  {
    what: 'ACME challenges get the nearest TTL that the DNS provider supports',
    why: 'Their clients choose one without knowing the provider; all other TTLs are kept or refused',
    at: [{ where: /^body\.rrsets\[_acme-challenge\..* TXT\]\.ttl$/, backends: ['cloudflare'] }],
  },
  {
    what: '`notify`, `rectify` and `cache/flush` do nothing and say so',
    why: 'The DNS provider does it itself after each change; a failure would stop programs that call them',
    at: [{ request: /^PUT .*\/(notify|rectify|cache\/flush\?.*)$/, where: /^body\.result$|^body\.count$/ }],
  },
  {
    what: 'Metadata is read-only',
    why: 'Nothing here would act on it',
    at: [{ request: /^POST .*\/metadata /, where: /^status$/, when: from(201, 422) }],
  },
  {
    what: 'Keys of DNSSEC are read-only: a `ksk` for each DS record of the zone, without `bits`, `flags`, `dnskey` and private key',
    why: 'Keys belong to the DNS provider, which shows the DS records; `dnssec` of the zone switches signing',
    at: [
      {
        request: /\/cryptokeys$/,
        where: /^body\[Cryptokey\]\.(bits|dnskey|flags)$/,
        when: ({ ours }) => ours === MISSING,
      },
      { request: /\/cryptokeys$/, where: /^body\[Cryptokey\]\.keytype$/, when: from('csk', 'ksk') },
    ],
  },
  {
    what: '`config`, `statistics`, `tsigkeys`, `autoprimaries`, networks and views do not exist (404)',
    why: 'They belong to a DNS server, which Zonekeeper is not',
    at: [
      {
        request: /^GET .*\/(config|statistics\?.*|tsigkeys|autoprimaries)$/,
        where: /^status$/,
        when: from(200, 404),
      },
    ],
  },
]

function hasOnlyError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).join() === 'error'
}

/** What one difference is accepted as, if it is. */
export const acceptedAs = (
  backend: Backend,
  scenario: string,
  request: string,
  difference: Difference,
): Accepted | undefined =>
  ACCEPTED.find(({ at }) =>
    at.some(
      ({ request: pattern = /^/, where, backends, when }) =>
        (pattern.test(request) || pattern.test(scenario)) &&
        where.test(difference.where) &&
        (backends?.includes(backend) ?? true) &&
        (when?.(difference) ?? true),
    ),
  )
