import {
  erase,
  get,
  getSet,
  on,
  patch,
  post,
  put,
  remove,
  replace,
  SERVER,
  zonePath,
  type Scenario,
} from './scenario.ts'

/*
 * What programs send that can't be run here, as their documentation and issue threads show it. Each is a row of
 * docs/integrations.md, "from documentation, not run".
 */
const VALUE = '"LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM"'
const OTHER = '"nPLZWxJYzW3zoYv6R-1gEmzFIgjqrlCWgxuCHgQq9io"'

export const TOOLS: Scenario[] = [
  {
    name: 'cert-manager, webhook pdns',
    source: 'github.com/zachomedia/cert-manager-webhook-pdns: README, issues 9 and 11',
    steps: (zone) => {
      const name = `_acme-challenge.${zone}.`
      const txt = (...values: string[]) => ({
        ...replace(name, 'TXT', ...values.map((value) => on(value))),
        ttl: 120,
      })
      return [
        getSet(zone, name, 'TXT'),
        patch(zone, txt(VALUE)),
        getSet(zone, name, 'TXT'),
        patch(zone, txt(VALUE, OTHER)),
        getSet(zone, name, 'TXT'),
        patch(zone, txt(OTHER)),
        patch(zone, erase(name, 'TXT')),
        get(`${SERVER}/zones/missing.test.`),
      ]
    },
  },
  {
    name: 'external-dns, provider pdns',
    source: 'kubernetes-sigs.github.io/external-dns: tutorials/pdns; issues 715 and 3816',
    steps: (zone) => {
      const owned = '"heritage=external-dns,external-dns/owner=one,external-dns/resource=ingress/default/web"'
      const withPtr = (content: string) => ({ content, disabled: false, 'set-ptr': false })
      const set = (name: string, type: string, content: string) => ({
        ...replace(`${name}.${zone}.`, type, withPtr(content)),
        comments: [],
      })
      return [
        get(`${SERVER}/zones?zone=${zone}.`),
        get(zonePath(zone)),
        patch(zone, set('web', 'A', '192.0.2.1'), set('a-web', 'TXT', owned)),
        patch(zone, set('alias', 'CNAME', 'lb.example.net.'), set('cname-alias', 'TXT', owned)),
        get(zonePath(zone)),
        // What issue 715 is about.
        patch(zone, set('alias', 'TXT', owned)),
        patch(
          zone,
          { ...set('web', 'A', '192.0.2.1'), changetype: 'DELETE' },
          { ...set('a-web', 'TXT', owned), changetype: 'DELETE' },
        ),
        get(zonePath(zone)),
      ]
    },
  },
  {
    name: 'octoDNS, octodns-powerdns',
    source:
      'github.com/octodns/octodns-powerdns: README; github.com/octodns/octodns: issue 437, pull request 540',
    steps: (zone) => [
      get(SERVER),
      get(`${SERVER}/config`),
      get(zonePath(zone)),
      patch(
        zone,
        { ...replace(`www.${zone}.`, 'A', on('192.0.2.1'), on('192.0.2.2')), ttl: 60 },
        { ...replace(`${zone}.`, 'MX', on('10 mx.example.net.')), ttl: 3600 },
        { ...replace(`txt.${zone}.`, 'TXT', on('"v=DKIM1; k=rsa; p=abc"')), ttl: 3600 },
      ),
      put(zonePath(zone, '/notify')),
      patch(zone, { ...erase(`txt.${zone}.`, 'TXT'), ttl: 3600, records: [on('"v=DKIM1; k=rsa; p=abc"')] }),
      get(zonePath(zone)),
    ],
  },
  {
    name: 'octoDNS creates a zone',
    source: 'github.com/octodns/octodns: issue 437, pull request 540',
    steps: (zone) => [
      get(zonePath(`new.${zone}`)),
      { method: 'PATCH', path: zonePath(`new.${zone}`), body: { rrsets: [] } },
      post(`${SERVER}/zones`, {
        name: `new.${zone}.`,
        kind: 'Master',
        masters: [],
        nameservers: [],
        soa_edit_api: 'DEFAULT',
        rrsets: [
          replace(`new.${zone}.`, 'NS', on('ns1.example.net.'), on('ns2.example.net.')),
          replace(`www.new.${zone}.`, 'A', on('192.0.2.1')),
        ],
      }),
      get(zonePath(`new.${zone}`)),
    ],
    backends: ['powerdns'],
  },
  {
    name: 'DNSControl, POWERDNS',
    source: 'docs.dnscontrol.org/provider/powerdns',
    steps: (zone) => [
      get(`${SERVER}/zones?zone=${zone}.`),
      get(zonePath(zone)),
      patch(
        zone,
        replace(`www.${zone}.`, 'A', on('192.0.2.1')),
        replace(`${zone}.`, 'TXT', on('"v=spf1 -all"')),
      ),
      patch(zone, erase(`www.${zone}.`, 'A')),
      get(zonePath(zone, '/cryptokeys')),
      get(zonePath(zone)),
    ],
  },
  {
    name: 'Terraform, provider powerdns',
    source: 'registry.terraform.io/providers/pan-net/powerdns; github.com/hashicorp/terraform: issue 7790',
    steps: (zone) => [
      // The version of the API, then of the server.
      get('/api/v1/servers'),
      get(SERVER),
      get(zonePath(zone)),
      patch(zone, replace(`www.${zone}.`, 'A', on('192.0.2.11'), on('192.0.2.12'))),
      get(zonePath(zone)),
      patch(zone, { ...replace(`www.${zone}.`, 'A', on('192.0.2.13')), ttl: 60 }),
      patch(zone, { name: `www.${zone}.`, type: 'A', ttl: 0, changetype: 'DELETE', records: null }),
      get(zonePath(zone)),
    ],
  },
  {
    name: 'Terraform, powerdns_zone',
    source: 'registry.terraform.io/providers/pan-net/powerdns: resources/zone',
    steps: (zone) => [
      // What it sends without an account.
      post(`${SERVER}/zones`, {
        name: `other.${zone}.`,
        kind: 'Native',
        account: 'admin',
        nameservers: ['ns1.example.net.'],
      }),
      post(`${SERVER}/zones`, {
        name: `new.${zone}.`,
        kind: 'Native',
        account: 'powerdns',
        nameservers: ['ns1.example.net.', 'ns2.example.net.'],
        soa_edit_api: 'DEFAULT',
      }),
      get(zonePath(`new.${zone}`)),
      put(zonePath(`new.${zone}`), {
        name: `new.${zone}.`,
        kind: 'Native',
        account: 'powerdns',
        soa_edit_api: 'DEFAULT',
      }),
      put(zonePath(`new.${zone}`), {
        name: `new.${zone}.`,
        kind: 'Native',
        account: '',
        soa_edit_api: 'INCREASE',
      }),
      remove(zonePath(`new.${zone}`)),
    ],
    backends: ['powerdns'],
  },
  {
    name: 'acme.sh, dns_pdns',
    source: 'github.com/acmesh-official/acme.sh: wiki dnsapi, issues 3311, 3825 and 3954, pull request 3572',
    steps: (zone) => {
      const name = `_acme-challenge.${zone}.`
      const set = (...values: string[]) => ({
        ...patch(zone, { ...replace(name, 'TXT', ...values.map((value) => on(value))), ttl: 60 }),
        headers: { 'content-type': 'application/json' },
      })
      return [
        get(`${SERVER}/zones?zone=${zone}.`),
        get(zonePath(zone)),
        set(VALUE),
        put(zonePath(zone, '/notify')),
        get(zonePath(zone)),
        set(VALUE, OTHER),
        set(OTHER),
        patch(zone, { changetype: 'DELETE', name, type: 'TXT' }),
        put(zonePath(zone, '/notify')),
        get(zonePath(zone)),
      ]
    },
  },
  {
    name: 'Proxmox VE, SDN',
    source: 'pve.proxmox.com/pve-docs/chapter-pvesdn.html: PowerDNS plugin',
    steps: (zone) => [
      get(SERVER),
      get(zonePath(zone)),
      getSet(zone, `vm1.${zone}.`, 'A'),
      patch(zone, { ...replace(`vm1.${zone}.`, 'A', on('192.0.2.101')), ttl: 14400 }),
      getSet(zone, `vm1.${zone}.`, 'A'),
      patch(zone, { ...replace(`vm1.${zone}.`, 'A', on('192.0.2.101'), on('192.0.2.102')), ttl: 14400 }),
      patch(zone, { ...replace(`vm1.${zone}.`, 'A', on('192.0.2.102')), ttl: 14400 }),
      patch(zone, { ...erase(`vm1.${zone}.`, 'A'), ttl: 14400 }),
      get(zonePath(zone)),
    ],
  },
]
