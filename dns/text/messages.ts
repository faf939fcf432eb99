const SHOWN_CHARACTERS = 60

/** What the user gave, quoted for a message: cut to 60 characters, control characters made visible. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  return `"${cut.toWellFormed().replace(/\p{Cc}/gu, '\u{FFFD}')}"`
}
