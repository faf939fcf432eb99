import { ANY_TEXT } from '../../../modules/providers/contract.ts'
import type { RequestedChange, RecordState } from '../../../modules/records/plan/change.ts'
import type { ZoneFacts } from '../../../modules/records/plan/zone-rules.ts'
import { RECORD_TYPES } from '../../../dns/types/index.ts'

export const zone: ZoneFacts = {
  name: 'example.com',
  defaultTtl: 3600,
  providerName: 'Test DNS',
  scope: { seen: null, changeable: null, token: { namePatterns: null, recordTypes: null } },
  capabilities: {
    recordTypes: RECORD_TYPES.filter((type) => type !== 'CAA'),
    otherTypes: true,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    maxBatch: 100,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: true,
    minTtl: 60,
    maxTtl: 86_400,
    defaultTtl: 3600,
    ttlByPlan: false,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: true,
    apexNs: false,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
}

/** "id name TYPE ttl value", as the stored records are written here. */
export function state(line: string): RecordState {
  const [id = '', name = '', type = 'A', ttl = '', ...rest] = line.split(' ')
  const value = rest.join(' ')
  const priority = type === 'MX' || type === 'SRV' ? Number.parseInt(value, 10) : null
  return {
    id,
    name,
    type: type as RecordState['type'],
    value,
    ttl: Number(ttl),
    priority,
    proxied: false,
    enabled: true,
    comment: '',
    status: 'active',
    version: 3,
    routing: null,
    extra: null,
    providerId: null,
  }
}

export const create = (name: string, recordType: string, value: string, more: object = {}) =>
  ({ action: 'create', name, recordType, value, ...more }) as RequestedChange
const update = (recordId: string, fields: object) =>
  ({ action: 'update', recordId, ...fields }) as RequestedChange
const remove = (recordId: string, more: object = {}) =>
  ({ action: 'delete', recordId, ...more }) as RequestedChange

export interface Case {
  name: string
  current?: string[]
  requests: RequestedChange[]
  /** "action name TYPE ttl value", after (of deletions before). */
  steps?: string[]
  /** "index kind", then what the detail must say. */
  refused?: [string, RegExp][]
  warned?: RegExp[]
}

const A1 = 'a1 www A 300 192.0.2.1'
const A2 = 'a2 www A 300 192.0.2.2'
export const CNAME = 'c1 alias CNAME 300 www.example.com'
const MX = 'm1 @ MX 300 10 mail.example.com'
const NS = 'n1 @ NS 300 ns1.example.net'

export const cases: Case[] = [
  {
    name: 'create with the default TTL',
    requests: [create('www', 'A', '192.0.2.1')],
    steps: ['create www A 3600 192.0.2.1'],
  },
  {
    name: 'TTL 0 means none',
    requests: [create('www', 'A', '192.0.2.1', { ttl: 0 })],
    steps: ['create www A 3600 192.0.2.1'],
  },
  {
    name: 'who joins an RRset without a TTL takes its',
    current: [A1],
    requests: [create('www', 'A', '192.0.2.3')],
    steps: ['create www A 300 192.0.2.3'],
  },
  {
    name: 'another type at the name is another RRset',
    current: [A1],
    requests: [create('www', 'TXT', 'x')],
    steps: ['create www TXT 3600 x'],
  },
  {
    name: 'a new TTL is that of the whole RRset',
    current: [A1, A2],
    requests: [create('www', 'A', '192.0.2.3', { ttl: 600 })],
    steps: ['create www A 600 192.0.2.3', 'update www A 600 192.0.2.1', 'update www A 600 192.0.2.2'],
    warned: [/share one TTL, which is now 600/],
  },
  {
    name: 'an update of one TTL aligns the siblings',
    current: [A1, A2],
    requests: [update('a1', { ttl: 900 })],
    steps: ['update www A 900 192.0.2.1', 'update www A 900 192.0.2.2'],
    warned: [/now 900/],
  },
  {
    name: 'TTL 0 in an update is the default again',
    current: [A1],
    requests: [update('a1', { ttl: 0 })],
    steps: ['update www A 3600 192.0.2.1'],
  },
  {
    name: 'names are relative, lower case, punycode',
    requests: [create('Bücher.EXAMPLE.com.', 'A', '192.0.2.1')],
    steps: ['create xn--bcher-kva A 3600 192.0.2.1'],
  },
  {
    name: 'the apex by its name',
    requests: [create('example.com', 'A', '192.0.2.1')],
    steps: ['create @ A 3600 192.0.2.1'],
  },
  {
    name: 'a name outside',
    requests: [create('www.example.net.', 'A', '192.0.2.1')],
    refused: [['0 invalid', /name: .*outside/]],
  },
  {
    name: 'a value that is none',
    requests: [create('www', 'A', '192.0.2.256')],
    refused: [['0 invalid', /value: .*IPv4/]],
  },
  {
    name: 'all that is wrong at once',
    requests: [create('w w', 'A', 'x', { ttl: 5, proxied: true })],
    refused: [['0 invalid', /name: .*value: .*ttl: .*proxied: /]],
  },
  {
    name: 'a type that the provider lacks',
    requests: [create('@', 'CAA', '0 issue "ca.example"')],
    refused: [['0 invalid', /recordType: Test DNS does not support CAA/]],
  },
  {
    name: 'TTLs that the provider lacks',
    requests: [create('a', 'A', '192.0.2.1', { ttl: 59 }), create('b', 'A', '192.0.2.1', { ttl: 86_401 })],
    refused: [
      ['0 invalid', /ttl: must be 60 to 86400/],
      ['1 invalid', /ttl/],
    ],
  },
  {
    name: 'an exact duplicate',
    current: [A1],
    requests: [create('WWW', 'A', '192.0.2.1')],
    refused: [['0 conflict', /www A 192.0.2.1 already exists/]],
  },
  {
    name: 'a duplicate in another spelling',
    current: ['x1 h AAAA 300 2001:db8::1'],
    requests: [create('h', 'AAAA', '2001:DB8:0::0:1')],
    refused: [['0 conflict', /already/]],
  },
  {
    name: 'a duplicate within the call',
    requests: [create('a', 'A', '192.0.2.1'), create('a', 'A', '192.0.2.1')],
    steps: ['create a A 3600 192.0.2.1'],
    refused: [['1 conflict', /already/]],
  },
  {
    name: 'an update to a duplicate',
    current: [A1, A2],
    requests: [update('a2', { value: '192.0.2.1' })],
    refused: [['0 conflict', /already/]],
  },
  {
    name: 'CNAME beside something',
    current: [A1],
    requests: [create('www', 'CNAME', 'x.example.net')],
    refused: [['0 conflict', /www A 192.0.2.1 exists/]],
  },
  {
    name: 'something beside a CNAME',
    current: [CNAME],
    requests: [create('alias', 'TXT', 'x')],
    refused: [['0 conflict', /alias CNAME .*exists/]],
  },
  {
    name: 'a second CNAME',
    current: [CNAME],
    requests: [create('alias', 'CNAME', 'x.example.net')],
    refused: [['0 conflict', /must be the only record/]],
  },
  {
    name: 'CNAME at the apex',
    requests: [create('@', 'CNAME', 'x.example.net')],
    refused: [['0 conflict', /apex/]],
  },
  {
    name: 'CNAME and A at one name in one call',
    requests: [create('n', 'CNAME', 'x.example.net'), create('n', 'A', '192.0.2.1')],
    steps: ['create n CNAME 3600 x.example.net'],
    refused: [['1 conflict', /must be the only record/]],
  },
  {
    name: 'a CNAME replaced, whatever the order',
    current: [CNAME],
    requests: [create('alias', 'A', '192.0.2.9'), remove('c1')],
    steps: ['delete alias CNAME 300 www.example.com', 'create alias A 3600 192.0.2.9'],
  },
  {
    name: 'a record that becomes a CNAME',
    current: [A1],
    requests: [update('a1', { recordType: 'CNAME', value: 'x.example.net' })],
    steps: ['update www CNAME 300 x.example.net'],
  },
  {
    name: 'one of two can not become a CNAME',
    current: [A1, A2],
    requests: [update('a1', { recordType: 'CNAME', value: 'x.example.net' })],
    refused: [['0 conflict', /www A 192.0.2.2/]],
  },
  {
    name: 'a move to another name',
    current: [A1],
    requests: [update('a1', { name: 'web' })],
    steps: ['update web A 300 192.0.2.1'],
  },
  {
    name: 'a move into an RRset takes its TTL',
    current: [A1, 'b1 web A 60 192.0.2.7'],
    requests: [update('a1', { name: 'web' })],
    steps: ['update web A 60 192.0.2.1'],
  },
  {
    name: 'a move to a CNAME',
    current: [A1, CNAME],
    requests: [update('a1', { name: 'alias' })],
    refused: [['0 conflict', /alias CNAME/]],
  },
  {
    name: 'a move to what leaves in the same call',
    current: [A1, CNAME],
    requests: [remove('c1'), update('a1', { name: 'alias' })],
    steps: ['delete alias CNAME 300 www.example.com', 'update alias A 300 192.0.2.1'],
  },
  {
    name: 'a chain: each takes the place of the next',
    current: [A1, A2],
    requests: [update('a2', { value: '192.0.2.3' }), update('a1', { value: '192.0.2.2' })],
    steps: ['update www A 300 192.0.2.2', 'update www A 300 192.0.2.3'],
  },
  {
    name: 'nothing to change',
    current: [A1],
    requests: [update('a1', { value: '192.0.2.1', ttl: 300, name: 'WWW' })],
    steps: [],
  },
  {
    name: 'the right version',
    current: [A1],
    requests: [update('a1', { value: '192.0.2.4', version: 3 })],
    steps: ['update www A 300 192.0.2.4'],
  },
  {
    name: 'an old version',
    current: [A1],
    requests: [update('a1', { value: '192.0.2.4', version: 2 }), remove('a1', { version: 4 })],
    refused: [
      ['0 outdated', /version 3/],
      ['1 outdated', /version 3/],
    ],
  },
  {
    name: 'no such record',
    requests: [update('zz', { ttl: 300 }), remove('zz')],
    refused: [
      ['0 not_found', /zz/],
      ['1 not_found', /zz/],
    ],
  },
  {
    name: 'a record that goes in the same call',
    current: [A1],
    requests: [update('a1', { ttl: 600 }), remove('a1')],
    steps: ['delete www A 300 192.0.2.1'],
    refused: [['0 not_found', /a1/]],
  },
  {
    name: 'a record changed twice',
    current: [A1],
    requests: [update('a1', { ttl: 600 }), update('a1', { value: '192.0.2.8' })],
    steps: ['update www A 600 192.0.2.8'],
  },
  {
    name: 'NS at the apex',
    current: [NS],
    requests: [create('@', 'NS', 'ns2.example.net'), update('n1', { ttl: 600 }), remove('n1')],
    refused: [
      ['0 conflict', /provider manages/],
      ['1 conflict', /provider manages/],
      ['2 conflict', /provider manages/],
    ],
  },
  {
    name: 'a record moved to be NS at the apex',
    current: ['d1 sub NS 300 ns1.example.net'],
    requests: [update('d1', { name: '@' })],
    refused: [['0 conflict', /provider manages/]],
  },
  {
    name: 'NS below the apex',
    requests: [create('sub', 'NS', 'ns1.example.net')],
    steps: ['create sub NS 3600 ns1.example.net'],
  },
  {
    name: 'MX: priority beside the value',
    requests: [create('@', 'MX', 'mail.example.com', { priority: 5 })],
    steps: ['create @ MX 3600 5 mail.example.com'],
  },
  {
    name: 'MX: both, in contradiction',
    requests: [create('@', 'MX', '10 mail.example.com', { priority: 5 })],
    refused: [['0 invalid', /priority: .*5.*10/]],
  },
  {
    name: 'MX: a new priority alone',
    current: [MX],
    requests: [update('m1', { priority: 20 })],
    steps: ['update @ MX 300 20 mail.example.com'],
  },
  {
    name: 'MX: a new host alone keeps the priority',
    current: [MX],
    requests: [update('m1', { value: 'mx.example.net' })],
    steps: ['update @ MX 300 10 mx.example.net'],
  },
  {
    name: 'MX: a new value with its priority',
    current: [MX],
    requests: [update('m1', { value: '5 mx.example.net' })],
    steps: ['update @ MX 300 5 mx.example.net'],
  },
  {
    name: 'MX: the whole resource sent back',
    current: [MX],
    requests: [
      update('m1', {
        name: '@',
        recordType: 'MX',
        value: '10 mail.example.com',
        priority: 10,
        ttl: 300,
        proxied: false,
      }),
    ],
    steps: [],
  },
  {
    name: 'a priority where there is none',
    current: [A1],
    requests: [create('x', 'A', '192.0.2.1', { priority: 5 }), update('a1', { priority: 5 })],
    refused: [
      ['0 invalid', /priority/],
      ['1 invalid', /priority/],
    ],
  },
  {
    name: 'what was synced and breaks our rules can be sent back',
    current: ['t1 x MX 300 10 host_with_underscore.example.net'],
    requests: [update('t1', { value: '10 host_with_underscore.example.net', ttl: 600 })],
    steps: ['update x MX 600 10 host_with_underscore.example.net'],
  },
]
