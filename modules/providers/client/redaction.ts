const MAX_LENGTH = 300
const MASK = '***'

/**
 * Makes a provider's text safe to show: without secrets in any encoding and without control characters; at
 * most 300 characters.
 */
export function shown(text: string, secrets: Iterable<string>): string {
  const words = redacted(text, secrets)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH)}…` : words
}

export function redacted(text: string, secrets: Iterable<string>): string {
  const forms = [...new Set([...secrets].filter((secret) => secret !== '').flatMap(formsOf))]
  // Longest first, because one may contain another.
  return forms.sort((a, b) => b.length - a.length).reduce((left, form) => left.replaceAll(form, MASK), text)
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
]
