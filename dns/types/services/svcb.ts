import type { DnsCode } from '../../text/codes.ts'
import type { TargetRules } from '../../names/names.ts'
import type { Token } from '../../text/strings.ts'
import { WireReader } from '../../wire/wire.ts'
import { defineType, type Field } from '../define.ts'
import { target } from '../fields/names.ts'
import { uint16 } from '../fields/numbers.ts'
import {
  keyName,
  keyNumber,
  parameterOf,
  readParameter,
  showParameter,
} from '../fields/service-parameters.ts'
import type { DataValue } from '../values.ts'
import { Unreadable } from '../words.ts'

type Parameters = Record<string, DataValue>

/** Keys above it are only known as `key7` and so on to older servers. */
const LAST_COMMON_KEY = 6

const inOrder = (parameters: [string, DataValue][]): Parameters =>
  Object.fromEntries(
    parameters
      .map(([name, value]) => ({ key: keyNumber(name) ?? 0, name, value }))
      .sort((a, b) => a.key - b.key)
      .map(({ name, value }) => [name, value]),
  )

function readTokens(tokens: Token[]): Parameters {
  const read = new Map<string, DataValue>()
  for (let at = 0; at < tokens.length; at++) {
    const { raw = '', quoted = false } = tokens[at] ?? {}
    if (quoted) throw new Unreadable('must be a list of key=value pairs')
    const value = raw.endsWith('=') && tokens[at + 1]?.quoted ? (tokens[++at]?.raw ?? '') : ''
    const parameter = readParameter(raw + value)
    if (read.has(parameter.name)) throw new Unreadable(`must not have ${parameter.name} twice`)
    read.set(parameter.name, parameter.value)
  }
  return inOrder([...read])
}

const parameters: Field<Parameters> = {
  info: {
    kind: 'parameters',
    title: 'Parameters',
    help: 'How to reach the service; must be empty with priority 0',
    example: { alpn: ['h2', 'h3'], ipv4hint: ['192.0.2.1'] },
    choices: [
      { value: 'mandatory', title: 'Keys that a client must understand (list)' },
      { value: 'alpn', title: 'Protocols (list)' },
      { value: 'no-default-alpn', title: 'Only these protocols (true)' },
      { value: 'port', title: 'Port (number)' },
      { value: 'ipv4hint', title: 'IPv4 addresses (list)' },
      { value: 'ech', title: 'Encrypted ClientHello (base64)' },
      { value: 'ipv6hint', title: 'IPv6 addresses (list)' },
      { value: 'dohpath', title: 'Path of DNS over HTTPS (text)' },
      { value: 'ohttp', title: 'Oblivious HTTP (true)' },
      { value: 'tls-supported-groups', title: 'TLS groups (list of numbers)' },
    ],
  },
  read: (words) => readTokens(words.rest()),
  accept(given = {}) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new Unreadable('must be an object with a value for each key')
    }
    const accepted = Object.entries(given).map(([name, value]): [string, DataValue] => {
      const key = keyNumber(name)
      if (key === null) throw new Unreadable(`must have valid parameters, not "${name.slice(0, 40)}"`)
      return [keyName(key), parameterOf(keyName(key)).accept(value)]
    })
    return inOrder(accepted)
  },
  show: (value) => textOf(value, showNamed),
  write: (value) => textOf(value, showCommon),
  toWire(value, out) {
    for (const [name, one] of Object.entries(value)) {
      const bytes = parameterOf(name).toWire(one)
      out
        .number(keyNumber(name) ?? 0, 2)
        .number(bytes.length, 2)
        .bytes(bytes)
    }
  },
  fromWire(input) {
    const read: [string, DataValue][] = []
    let last = -1
    while (input.left > 0) {
      const key = input.number(2)
      if (key <= last) throw new Unreadable('must have its keys in order')
      last = key
      const bytes = input.bytes(input.number(2))
      const reader = new WireReader(bytes)
      read.push([keyName(key), parameterOf(keyName(key)).fromWire(reader)])
      if (reader.left > 0) throw new Unreadable(`must not have extra data after ${keyName(key)}`)
    }
    return Object.fromEntries(read)
  },
}

const textOf = (value: Parameters, show: (name: string, one: DataValue) => string) =>
  Object.entries(value)
    .map(([name, one]) => show(name, one))
    .join(' ')

const showNamed = (name: string, one: DataValue) => showParameter(name, parameterOf(name).show(one))

const PLAIN = /^[!#-'*-:<-[\]-~]$/

const decimal = (byte: number) => `\\${String(byte).padStart(3, '0')}`

function showCommon(name: string, one: DataValue): string {
  const key = keyNumber(name) ?? 0
  // PowerDNS requires quotes here, and other servers accept them.
  if (name === 'ech') return `ech="${one as string}"`
  if (key <= LAST_COMMON_KEY) return showNamed(name, one)
  const bytes = parameterOf(name).toWire(one)
  // By number, the only form that PowerDNS 4.7 reads.
  const text = Array.from(bytes, (byte) =>
    PLAIN.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : decimal(byte),
  )
  return `key${key}="${text.join('')}"`
}

const TARGET: TargetRules = { what: 'it must point to a name', underscore: true, root: true }

/** The fields of SVCB and HTTPS. */
const bindingFields = {
  priority: uint16({
    title: 'Priority',
    help: '0 makes it an alias, like CNAME; otherwise the lowest is tried first',
    example: 1,
  }),
  target: target(TARGET, { title: 'Target', help: 'A full name; ".": this name itself', example: '.' }),
  parameters,
}

interface Binding {
  priority: number
  target: string
  parameters: Parameters
}

/** RFC 9460 sections 2.4.2, 7.1.1, and 8. */
function judgeBinding({ priority, parameters: given }: Binding) {
  const faults: { field: 'parameters'; code: DnsCode; message: string }[] = []
  const say = (code: DnsCode, message: string) => faults.push({ field: 'parameters', code, message })
  if (priority === 0 && Object.keys(given).length > 0) {
    say('svcb_alias', 'A record with priority 0 is an alias and must not have parameters')
  }
  const mandatory = (given['mandatory'] ?? []) as string[]
  for (const name of mandatory) {
    if (name === 'mandatory')
      say('svcb_mandatory', '"mandatory" is always understood and must not list itself')
    else if (!Object.hasOwn(given, name)) say('svcb_mandatory', `"mandatory" lists ${name}, which is missing`)
  }
  if (new Set(mandatory).size < mandatory.length) say('svcb_mandatory', '"mandatory" lists a key twice')
  if (given['no-default-alpn'] === true && given['alpn'] === undefined) {
    say('svcb_alpn', '"no-default-alpn" requires "alpn"')
  }
  return faults
}

export const SVCB = defineType({
  type: 'SVCB',
  title: 'Service binding',
  help: 'How to reach a service; the name identifies the service, such as _dns.',
  rfc: 'RFC 9460',
  fields: bindingFields,
  judge: judgeBinding,
})

export const HTTPS = defineType({
  type: 'HTTPS',
  title: 'How to reach a web site',
  help: 'Protocols, addresses and keys that browsers query first. Allowed at the apex, also as an alias.',
  rfc: 'RFC 9460 section 9',
  fields: bindingFields,
  judge: judgeBinding,
})
