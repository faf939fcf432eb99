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
      { request: /^POST .*"account":"admin"/, where: /^status$/, when: from(201, 422) },
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
    what: 'An RRset has at most one comment',
    why: 'Comments are kept with records, and many DNS providers have one for each',
    at: [
      { request: /"content":"one",.*"content":"two"/, where: /^status$/, when: from(204, 422) },
      { request: /^comments$/, where: /\.comments\[(one|two)\]$/, when: ({ ours }) => ours === MISSING },
    ],
  },
  {
    what: 'Types that Zonekeeper does not manage (`LUA`, …) or the DNS provider does not have are refused',
    why: 'Records of the former stay as they are at the provider and are not shown; what each provider supports is in [capabilities](provider-capabilities.md)',
    at: [
      { request: /"type":"LUA"/, where: /^status$/, when: from(204, 422) },
      {
        request: /^rarer types$/,
        where: /^body\.rrsets\[lua\.\S+ LUA\]$/,
        when: ({ ours }) => ours === MISSING,
      },
      {
        request: /^rarer types$/,
        where: /^status$|^body\.rrsets\[\S+ (ALIAS|DNAME|HINFO|TYPE65280)\]$/,
        backends: ['cloudflare'],
        when: ({ ours }) => ours === 422 || ours === MISSING,
      },
    ],
  },
  {
    what: 'Names with characters other than letters, digits, hyphens and underscores are refused',
    why: 'Most DNS providers refuse them, too; this includes the `/` of RFC 2317, for which a hyphen works as well',
    at: [
      { request: /"name":"0\/25\./, where: /^status$/, when: from(204, 422) },
      { request: /^unusual names$/, where: /^body\.rrsets\[0\/25\./, when: ({ ours }) => ours === MISSING },
    ],
  },
  {
    what: 'Names may be written in Unicode, and data with more spaces than needed',
    why: 'They mean the same and are stored in their usual form',
    at: [
      { request: /"name":"bücher\.|"content":"10 {2}mail/, where: /^status$/, when: from(422, 204) },
      {
        request: /^data in other spellings$/,
        where: /^body\.rrsets\[spaces\./,
        when: ({ real }) => real === MISSING,
      },
    ],
  },
  {
    what: 'Data is shown in one form: names in lower case, TXT in texts of 255 bytes, and bytes beyond ASCII as `\\DDD`',
    why: 'Records are stored in one form for all DNS providers, so that the same data is recognized; PowerDNS after 5.0 changes spellings, too',
    at: [
      {
        request: /^data in other spellings$/,
        where: /^body\.rrsets\[(mx|long|utf)\.\S+ (MX|TXT)\]\.records\[/,
      },
    ],
  },
  {
    what: 'An empty TXT record is refused',
    why: 'Most DNS providers refuse it',
    at: [
      { request: /"name":"empty\./, where: /^status$/, when: from(204, 422) },
      {
        request: /^data in other spellings$/,
        where: /^body\.rrsets\[empty\./,
        when: ({ ours }) => ours === MISSING,
      },
    ],
  },
  {
    what: 'TTLs outside of what the DNS provider supports are refused with 422',
    why: 'PowerDNS takes -1 as 4294967295, and answers 500 to a text',
    at: [
      { request: /"ttl":-1/, where: /^status$/, when: from(204, 422) },
      { request: /"ttl":"soon"/, where: /^status$/, when: from(500, 422) },
      { request: /"ttl":2147483647/, where: /^status$/, when: from(204, 422), backends: ['cloudflare'] },
    ],
  },
  {
    what: 'The SOA is changed in a request of its own, where the DNS provider allows it; the last apex NS record stays, and some providers allow no change of these',
    why: 'The SOA is part of the [settings of a domain](records.md#soa-and-name-servers); without name servers a zone does not work, and many DNS providers assign them',
    at: [
      { request: /"type":"SOA"/, where: /^status$/, when: from(204, 422), backends: OTHERS },
      { request: /"type":"NS","changetype":"DELETE"/, where: /^status$/, when: from(204, 422) },
      { request: /^SOA and apex$/, where: /^status$/, when: from(204, 422), backends: ['cloudflare'] },
      { request: /^SOA and apex$/, where: /^body\.rrsets\[s\d+\.\w+\.test\. NS\]$/ },
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
    what: 'A TTL of 0 is refused',
    why: 'Here it stands for the usual TTL of the domain, which would be written instead',
    at: [{ request: /^PATCH .*"ttl":0,"changetype":"REPLACE"/, where: /^status$/, when: from(204, 422) }],
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
    what: '`config`, `tsigkeys` and `autoprimaries` are empty',
    why: 'Zones have no settings and keys of a DNS server here',
    at: [
      {
        request: /^GET .*\/config$/,
        where: /^body\[\S+ ConfigSetting\]$/,
        when: ({ ours }) => ours === MISSING,
      },
    ],
  },
  {
    what: '`statistics`, networks and views do not exist (404)',
    why: 'They belong to a DNS server, which Zonekeeper is not',
    at: [{ request: /^GET .*\/statistics\?.*$/, where: /^status$/, when: from(200, 404) }],
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
