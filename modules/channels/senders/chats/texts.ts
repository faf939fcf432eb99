/* Makes texts written by others harmless in chats. */

/** Prevents mentions and links by an invisible space after `@` and `:`, in any markup. */
export const inert = (text: string): string => text.replaceAll('@', '@\u200b').replaceAll('://', ':\u200b//')

/** Escapes text for Markdown. Clients may still turn bare names such as `www.example.com` into links. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>~|#]/g, String.raw`\$&`)
    .replaceAll(/^(\s*)([-+=])/gm, String.raw`$1\$2`)
    .replaceAll(/^(\s*\d+)([.)])/gm, String.raw`$1\$2`)

/** Renders as much of the text as fits. Cuts the text between characters, never the rendered form. */
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

/** The escaped text in at most `maxLength` UTF-16 code units. */
export const escapedWithin = (text: string, maxLength: number, escape: (text: string) => string): string =>
  longest(text, escape, ({ length }) => length <= maxLength)

/** The body as JSON in at most `maxBytes` bytes. */
export const bodyWithin = (text: string, build: (text: string) => object, maxBytes: number): string =>
  longest(
    text,
    (part) => JSON.stringify(build(part)),
    (body) => Buffer.byteLength(body) <= maxBytes,
  )
