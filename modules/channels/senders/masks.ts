const LONG_ENOUGH_TO_HINT = 16

/** At most the last four characters, so that people can tell two secrets apart. */
export const maskSecret = (secret: string): string =>
  '••••' + (secret.length >= LONG_ENOUGH_TO_HINT ? secret.slice(-4) : '')
