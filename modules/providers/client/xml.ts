import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { isObject } from './json.ts'

/** As `writeXml` takes it: texts, elements by their names, and lists of elements of one name. */
export type XmlValue = string | undefined | { [name: string]: XmlValue | readonly XmlValue[] }

/**
 * The elements of an XML text: an object by name for what has elements or attributes (`@name`) in it, else the text of it,
 * to the letter. Those of `lists` are arrays, also where there is one. Undefined when it is no XML, or none that anybody
 * sends who means well: with entities that grow, or elements a hundred deep.
 */
export function parseXml(text: string, lists: readonly string[] = []): unknown {
  if (XMLValidator.validate(text) !== true) return undefined
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    ignoreDeclaration: true,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    // Numbers of characters (`&#10;`) are read with these alone.
    htmlEntities: true,
    isArray: (name) => lists.includes(name),
  })
  try {
    return withoutBlanks(parser.parse(text))
  } catch {
    return undefined
  }
}

/** White space between elements means nothing. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks)
  if (!isObject(value)) return value
  const named = Object.entries(value).filter(
    ([name, inner]) => name !== '#text' || String(inner).trim() !== '',
  )
  return Object.fromEntries(named.map(([name, inner]) => [name, withoutBlanks(inner)]))
}

/** The text of an element, without a declaration; its content in the order in which it is given. */
export function writeXml(name: string, value: XmlValue, namespace?: string): string {
  if (value === undefined) return ''
  const start = namespace === undefined ? name : `${name} xmlns="${escape(namespace)}"`
  const content =
    typeof value === 'string'
      ? escape(value)
      : Object.entries(value)
          .flatMap(([inner, one]) => listOf(one).map((each) => writeXml(inner, each)))
          .join('')
  return `<${start}>${content}</${name}>`
}

const listOf = (value: XmlValue | readonly XmlValue[]): readonly XmlValue[] =>
  Array.isArray(value) ? (value as readonly XmlValue[]) : [value as XmlValue]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
