import type { Answer } from './app.ts'

export interface SetCookie {
  value: string
  /** Names in lower case; an attribute without a value is `true`. */
  attributes: Record<string, string | true>
}

/** What the answer says about the refresh cookie; undefined when it says nothing. */
export function refreshCookie({ headers }: Answer): SetCookie | undefined {
  const lines = [headers['set-cookie'] ?? []].flat().map(String)
  const line = lines.find((entry) => entry.startsWith('refresh_token='))
  if (line === undefined) return undefined
  const [pair = '', ...rest] = line.split('; ')
  const attributes = rest.map((attribute) => {
    const [name = '', value] = attribute.split('=')
    return [name.toLowerCase(), value ?? true] as const
  })
  return { value: pair.slice('refresh_token='.length), attributes: Object.fromEntries(attributes) }
}
