const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that says the same as part of a page or of an attribute in quotes. */
export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
