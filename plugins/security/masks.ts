const LONG_ENOUGH_TO_HINT = 16
export const DOTS = '••••'

/** At most the last four characters, so that people can tell two secrets apart. */
export const maskSecret = (secret: string): string =>
  DOTS + (secret.length >= LONG_ENOUGH_TO_HINT ? secret.slice(-4) : '')

/** Never more than the first and the last four characters, and most of it stays hidden. */
export function maskMiddle(text: string): string {
  const shown = Math.min(4, Math.floor(text.length / 4))
  return text.slice(0, shown) + DOTS + (shown === 0 ? '' : text.slice(-shown))
}

/** The first character and the domain. */
export const maskEmail = (address: string): string => address.replace(/^(.).*(?=@)/, '$1***')

/** Whether a mask stands somewhere in a text, or in one of the texts of an object or a list. */
export const isMasked = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(isMasked)
    : typeof value === 'string' && value.includes(DOTS)
