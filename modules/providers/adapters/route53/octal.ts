/* Route 53 writes a byte as three octal digits (`\303`), master files as three decimal ones (`\195`). */

/** Master-file data in Route 53's spelling. */
export const toOctal = (rdata: string): string =>
  rdata.replace(/\\(?:(\d{3})|[^])/g, (all, digits?: string) =>
    digits === undefined ? all : octal(Number(digits)),
  )

/** A name in Route 53's spelling, which has no other escapes. */
export const toOctalName = (name: string): string =>
  name.replace(/\\(?:(\d{3})|([^]))/g, (_, digits: string | undefined, sign = '') =>
    octal(digits === undefined ? sign.charCodeAt(0) : Number(digits)),
  )

/** Data or a name of Route 53, in master-file form. */
export const fromOctal = (text: string): string =>
  text.replace(/\\(?:([0-3][0-7]{2})|[^])/g, (all, digits?: string) =>
    digits === undefined ? all : `\\${String(Number.parseInt(digits, 8)).padStart(3, '0')}`,
  )

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`
