import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

/*
 * A language that nobody speaks: English with an accent on every letter, and 40 % longer. What is drawn without accents
 * is no message; what is cut has no room for languages that need more than English does.
 */

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'áƀçðéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇÐÉƑĜĤÍĴĶĻṀÑÓÞǪŔŠŢÚṼŴẊÝŽ'
const accents = new Map(PLAIN.split('').map((letter, at) => [letter, ACCENTED[at] ?? letter]))
const LONGER = 0.4

/** Letters of the made-up language, as a class for expressions. */
export const MADE_UP_LETTERS = `[${ACCENTED}]`

/** A text in the made-up language: letters accented, some of them twice so that it is 40 % longer; `{param}` stays. */
export function madeUp(text: string): string {
  let owed = 0
  const say = (letter: string) => {
    const accented = accents.get(letter)
    if (accented === undefined) return letter
    owed += LONGER
    if (owed < 1) return accented
    owed -= 1
    return accented + accented.toLowerCase()
  }
  return text
    .split(/(\{\w+\}|\\.)/)
    .map((part, at) => (at % 2 === 0 ? part.split('').map(say).join('') : part))
    .join('')
}

interface Node {
  type: string
  start: number
  end: number
  value?: unknown
  [child: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Where strings are no texts: names of members and modules, what is compared, what a function is given. */
const NO_TEXTS: Record<string, readonly string[]> = {
  BinaryExpression: ['left', 'right'],
  CallExpression: ['arguments'],
  ImportDeclaration: ['source'],
  MemberExpression: ['property'],
  Property: ['key'],
}

/** Texts of a module as `[start, end, code]`, in the order of the module. */
function* textsOf(node: Node): Generator<[start: number, end: number, code: string]> {
  if (node.type === 'Literal' && typeof node.value === 'string')
    yield [node.start, node.end, JSON.stringify(madeUp(node.value))]
  if (node.type === 'TemplateElement') {
    const { raw } = node.value as { raw: string }
    yield [node.start, node.end, madeUp(raw)]
  }
  for (const [name, child] of Object.entries(node))
    for (const one of [child].flat())
      if (isNode(one) && !(one.type === 'Literal' && NO_TEXTS[node.type]?.includes(name))) yield* textsOf(one)
}

const inMadeUp: Plugin = {
  name: 'made-up-language',
  transform(code, id) {
    if (!/[\\/]web[\\/]messages[\\/]en[\\/]\w+\.ts$/.test(id)) return null
    let [changed, done] = ['', 0]
    const texts = [...textsOf(this.parse(code) as unknown as Node)].toSorted(([a], [b]) => a - b)
    for (const [start, end, text] of texts) {
      changed += code.slice(done, start) + text
      done = end
    }
    return { code: changed + code.slice(done), map: null }
  },
}

const CONFIG = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url))

/** Builds the console with the made-up language as its English; answers the folder, which goes with the test. */
export async function buildMadeUp(t: { teardown(end: () => unknown): void }): Promise<string> {
  const outDir = `${mkdtempSync(path.join(tmpdir(), 'zonekeeper-console-'))}/`
  t.teardown(() => rmSync(outDir, { recursive: true, force: true }))
  await build({ configFile: CONFIG, logLevel: 'warn', plugins: [inMadeUp], build: { outDir } })
  return outDir
}

/**
 * Is there before the first script of each page: days, spans of time and lists, which the browser says in English, have
 * accents, too.
 */
export const MADE_UP_DATES = `(() => {
  const accents = new Map(${JSON.stringify([...accents])})
  const accented = (text) => [...text].map((letter) => accents.get(letter) ?? letter).join('')
  const own = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    configurable: true,
    get() {
      const format = own.call(this)
      return (moment) => accented(format(moment))
    },
  })
  const ago = Intl.RelativeTimeFormat.prototype.format
  Intl.RelativeTimeFormat.prototype.format = function (...args) {
    return accented(ago.apply(this, args))
  }
  Intl.ListFormat.prototype.format = function (items) {
    return this.formatToParts(items).map(({ type, value }) => (type === 'literal' ? accented(value) : value)).join('')
  }
})()`
