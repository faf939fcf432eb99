import { decode as decoded } from 'punycode.js/punycode.es6.js'

/* Names as people read them: labels of the form `xn--` in Unicode (RFC 5891). */

const LABEL = /xn--[a-z0-9-]+/gi

/** A text in which each `xn--` label that stands for something is written as that; all else is as it was. */
export const readable = (text: string): string =>
  text.replace(LABEL, (label) => {
    const unicode = decode(label.slice(4).toLowerCase())
    return unicode !== null && asAscii(unicode) === label.toLowerCase() ? unicode : label
  })

/** What the browser makes of a label; null: it is none. */
const asAscii = (label: string): string | null => {
  // What a URL would take for something else than a name.
  if (/[/?#@:\\[\]%.\s]/.test(label)) return null
  const url = `http://${label}.example`
  return URL.canParse(url) ? new URL(url).hostname.slice(0, -'.example'.length) : null
}

/** Null: it is not well-formed. */
function decode(text: string): string | null {
  try {
    return decoded(text)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
