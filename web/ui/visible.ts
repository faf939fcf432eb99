import { decodeLabel } from '../../dns/names/idna.ts'

/** Characters that show nothing, or turn around what stands beside them. */
// oxlint-disable-next-line no-control-regex -- they are what it is about
const HIDDEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

/** A text from outside with marks in place of what can't be seen (`U+202E`). */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`)

/** A text with its `xn--` labels in Unicode (RFC 5891); a label that is not valid stays as it is. */
export const readable = (text: string): string =>
  text.replace(/xn--[a-z0-9-]+/gi, (label) => decodeLabel(label.toLowerCase()) ?? label)
