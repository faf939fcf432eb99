/* Texts that others wrote, on their way into a chat: they say what they say, and do nothing. */

/**
 * Keeps an @ from calling people and an address from becoming a link, by an invisible space that breaks what
 * chats look for in any text, whatever their markup.
 */
export const inert = (text: string): string => text.replaceAll('@', '@\u200b').replaceAll('://', ':\u200b//')

/** Text that says the same in Markdown. Bare names, as `www.example.com`, may still be made links by who shows it. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>~|#]/g, String.raw`\$&`)
    .replaceAll(/^(\s*)([-+=])/gm, String.raw`$1\$2`)
    .replaceAll(/^(\s*\d+)([.)])/gm, String.raw`$1\$2`)

/**
 * What `render` makes of as much of the text as fits: cut is the text between two characters, never what was
 * made of it.
 */
export function longest<T>(text: string, render: (part: string) => T, fits: (rendered: T) => boolean): T {
  const whole = render(text)
  if (fits(whole)) return whole
  const characters = Array.from(text)
  const first = (count: number) => render(`${characters.slice(0, count).join('')}…`)
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(first(middle))) low = middle
    else high = middle - 1
  }
  return first(low)
}

/** The escaped text, with at most that many UTF-16 code units. */
export const escapedWithin = (text: string, maxLength: number, escape: (text: string) => string): string =>
  longest(text, escape, ({ length }) => length <= maxLength)

/** The body as JSON of at most that many bytes. */
export const bodyWithin = (text: string, build: (text: string) => object, maxBytes: number): string =>
  longest(
    text,
    (part) => JSON.stringify(build(part)),
    (body) => Buffer.byteLength(body) <= maxBytes,
  )
