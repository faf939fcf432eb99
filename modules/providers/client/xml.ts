import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { isObject } from './json.ts'

/** Input of `writeXml`: strings, elements by name, and lists of elements with the same name. */
export type XmlValue = string | undefined | { [name: string]: XmlValue | readonly XmlValue[] }

/**
 * Parses XML: an object by name for elements with children or attributes (`@name`), otherwise the exact text.
 * Elements in `lists` are always arrays. Undefined if it is invalid or malicious, with expanding entities or
 * elements nested a hundred deep.
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
    // Character references (`&#10;`) require this option.
    htmlEntities: true,
    isArray: (name) => lists.includes(name),
  })
  try {
    return withoutBlanks(parser.parse(text))
  } catch {
    return undefined
  }
}

/** White space between elements is ignored. */
function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks)
  if (!isObject(value)) return value
  const named = Object.entries(value).filter(
    ([name, inner]) => name !== '#text' || String(inner).trim() !== '',
  )
  return Object.fromEntries(named.map(([name, inner]) => [name, withoutBlanks(inner)]))
}

/** Returns the text of an element, without a declaration, with its content in the given order. */
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
