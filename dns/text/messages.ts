const SHOWN_CHARACTERS = 60

/**
 * The user's input quoted for a message: truncated to 60 characters, with control characters made visible.
 */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  return `"${cut.toWellFormed().replace(/\p{Cc}/gu, '\u{FFFD}')}"`
}
