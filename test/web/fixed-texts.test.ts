import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parseSync } from 'vite'

/* All that people read comes from web/messages: no view has a text of its own, which would stay in one language. */

const WEB = fileURLToPath(new URL('../../web/', import.meta.url))

/** Attributes that are read or heard. */
const SAID = new Set([
  'label',
  'title',
  'aria-label',
  'placeholder',
  'help',
  'alt',
  'aria-description',
  'aria-valuetext',
])
/** Names of standards and of formats, which are the same in all languages. */
const SAME_EVERYWHERE = new Set([
  'CSV',
  'DNSSEC',
  'NS',
  'SOA',
  'TTL',
  'TXT',
  'URL',
  'UTC',
  'www',
  'Zonekeeper',
])

/** Words, or what stands between them in English: Chinese has its own colon. */
const isWords = (text: string) =>
  /^: $/.test(text) ||
  (/\p{L}{2,}/u.test(text) &&
    !text.split(/[^\p{L}]+/u).every((word) => word === '' || SAME_EVERYWHERE.has(word)))

interface Node {
  type: string
  start: number
  [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** The texts that stand in an expression as they are: also those of `? :`, `&&` and templates. */
function textsIn(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case 'JSXText':
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : []
    case 'TemplateLiteral':
      return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw)
    case 'ConditionalExpression':
      return [...textsIn(node['consequent']), ...textsIn(node['alternate'])]
    case 'LogicalExpression':
      return textsIn(node['right'])
    case 'JSXExpressionContainer':
      return textsIn(node['expression'])
    default:
      return []
  }
}

/** What is said by a node itself: content of an element, or an attribute that is read. */
function saidBy(node: Node): string[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node['children'] as Node[]).flatMap(textsIn)
  if (node.type !== 'JSXAttribute') return []
  const { name } = node['name'] as { name: string }
  return SAID.has(name) ? textsIn(node['value']) : []
}

function fixedIn(name: string): string[] {
  const code = readFileSync(path.join(WEB, name), 'utf8')
  const { program, errors } = parseSync(name, code)
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  const found: string[] = []
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look)
    if (!isNode(value)) return
    for (const text of saidBy(value).filter(isWords)) {
      found.push(`${name}:${code.slice(0, value.start).split('\n').length} ${text.trim()}`)
    }
    Object.values(value).forEach(look)
  }
  look(program)
  return found
}

void t.test('no view has hard-coded text', (t) => {
  const files = globSync('{*,{ui,views}/**/*}.tsx', { cwd: WEB })
  t.ok(files.length > 100, `${files.length} files`)
  t.same(files.flatMap(fixedIn), [])
  t.end()
})
