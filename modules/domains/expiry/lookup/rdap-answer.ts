import { parseMoment } from './moments.ts'
import { cleanLine, eppStatus, hostNames, type Registration } from './registration.ts'

/** An RDAP response about a domain (RFC 9083), with the registrar's RDAP link. */
export interface RdapAnswer {
  registration: Registration
  registrarUrl: string | null
}

/**
 * Parses a response; missing or malformed parts are treated as absent. Null: not a response about that domain.
 */
export function readAnswer(body: unknown, domain: string): RdapAnswer | null {
  const answer = asObject(body)
  if (!answer || textOf(answer['objectClassName'])?.toLowerCase() !== 'domain') return null
  const name = textOf(answer['ldhName'])?.toLowerCase().replace(/\.$/, '')
  if (name !== undefined && name !== domain) return null
  return {
    registration: {
      expiresAt: expirationOf(answer),
      registrar: registrarOf(answer),
      nameServers: hostNames(
        objectsIn(answer['nameservers']).map((server) => textOf(server['ldhName']) ?? ''),
      ),
      status: eppStatus(textsIn(answer['status'])),
    },
    registrarUrl: registrarUrlOf(answer),
  }
}

type Members = Record<string, unknown>

const asObject = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const objectsIn = (value: unknown): Members[] =>
  listOf(value)
    .map(asObject)
    .filter((item) => item !== null)

// Some servers send a single string where the RFC requires a list.
const textsIn = (value: unknown): string[] =>
  (typeof value === 'string' ? [value] : listOf(value)).filter((item) => typeof item === 'string')

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** The registry's date, or the registrar's if the registry passes that on. */
function expirationOf(answer: Members): Date | null {
  const events = objectsIn(answer['events'])
  for (const action of ['expiration', 'registrar expiration']) {
    for (const event of events) {
      if (textOf(event['eventAction'])?.toLowerCase() !== action) continue
      const date = parseMoment(textOf(event['eventDate']) ?? '')
      if (date) return date
    }
  }
  return null
}

function registrarOf(answer: Members): string | null {
  const entity = objectsIn(answer['entities']).find((candidate) =>
    textsIn(candidate['roles']).some((role) => role.toLowerCase() === 'registrar'),
  )
  if (!entity) return null
  const properties = listOf(listOf(entity['vcardArray'])[1]).map(listOf)
  for (const wanted of ['fn', 'org']) {
    for (const [name, , , value] of properties) {
      if (textOf(name)?.toLowerCase() !== wanted) continue
      const line = cleanLine(textsIn(value).join(' '))
      if (line !== null) return line
    }
  }
  return cleanLine(textOf(entity['handle']) ?? '')
}

function registrarUrlOf(answer: Members): string | null {
  const link = objectsIn(answer['links']).find(
    ({ rel, type, href }) =>
      rel === 'related' && textOf(type)?.toLowerCase().startsWith('application/rdap+json') && textOf(href),
  )
  return textOf(link?.['href']) ?? null
}
