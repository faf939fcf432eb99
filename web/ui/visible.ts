import { decodeLabel } from '../../dns/names/idna.ts'

/** Invisible characters, and those that change the text direction. */
// oxlint-disable-next-line no-control-regex -- matched on purpose
const HIDDEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

/** Shows invisible characters of an external text as `⟨U+202E⟩`. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`)

/** A text with its `xn--` labels in Unicode (RFC 5891); a label that is not valid stays as it is. */
export const readable = (text: string): string =>
  text.replace(/xn--[a-z0-9-]+/gi, (label) => decodeLabel(label.toLowerCase()) ?? label)
