import type { Page } from 'playwright-core'

/** What a text may hold besides the made-up language and what the service has answered. */
const NOT_SAID = [
  // Words of the seed that could be codes.
  /\b(?:root|ada|grace|web|mail|shop|blog|www|sip)\b/,
  // Names of companies, of their programs, and of standards.
  /\b(?:Chrome|Linux|netcup|oidc)\b/,
  // Moments in UTC, for comparison, and spans in the symbols of their units.
  /\b[-\d]{10} [:\d]{8} UTC\b/,
  // What a browser calls its zone.
  /\b(?:UTC|GMT)\b/,
  /\b\d+ min\b/,
  // Variables of templates.
  /\{\{\w+\}\}/,
  // Languages in their own words.
  /\bEnglish\b/,
]
const NOT_SAID_ANYWHERE = new RegExp(NOT_SAID.map(({ source }) => source).join('|'), 'g')

/** The component library says this itself, in the languages that it knows. */
const OF_LIBRARY = 'Dismiss'
/** Lines as programs of DNS write them. */
const LINE = /^p\S*\.mono\b\S*$/

/** Words that programs use; the console has words of its own for them. */
const isCode = (text: string) =>
  /^[a-z]+(?:[._-][a-z]+)*$/.test(text) && !/\.(?:com|net|org|example)$/.test(text)

function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* stringsOf(one)
}

/** Follows what the service answers to a page; answers all strings of it so far, the longest first. */
export function listenForData(page: Page): () => Promise<Set<string>> {
  const strings = new Set<string>()
  let reading: Promise<unknown>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith('/api/') || !response.headers()['content-type']?.includes('json')) return
    reading.push(
      response.json().then(
        (body) => [...stringsOf(body)].forEach((text) => strings.add(text)),
        // It went with the page before.
        () => null,
      ),
    )
  })
  return async () => {
    await Promise.all(reading)
    reading = []
    return new Set([...strings].toSorted((a, b) => b.length - a.length))
  }
}

/**
 * What of a text is neither of the made-up language nor data: names, values and English descriptions that the service has
 * answered. Codes are no data, but where they are shown as such: as code, and as the original in a title.
 */
export function fixedPartOf(text: string, data: Set<string>, at: string): string | null {
  if (text === OF_LIBRARY || LINE.test(at)) return null
  const showsCodes = /^code\b| title$/.test(at)
  let rest = text
  for (const known of data)
    if (known.length > 1 && (showsCodes || !isCode(known))) rest = rest.replaceAll(known, ' ')
  rest = rest.replaceAll(NOT_SAID_ANYWHERE, ' ')
  return /[A-Za-z]{2,}/.test(rest) ? rest.trim() : null
}
