/** Class names as one text, without those that are not there. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')
