/* Route 53 writes a byte as three octal digits (`\303`), where master files have decimal ones (`\195`). */

/** Master-file data in Route 53's spelling. */
export const toOctal = (rdata: string): string =>
  rdata.replace(/\\(?:(\d{3})|[^])/g, (all, digits?: string) =>
    digits === undefined ? all : octal(Number(digits)),
  )

/** The same of a name, in which no other escape is known. */
export const toOctalName = (name: string): string =>
  name.replace(/\\(?:(\d{3})|([^]))/g, (_, digits: string | undefined, sign = '') =>
    octal(digits === undefined ? sign.charCodeAt(0) : Number(digits)),
  )

/** Route 53's data, or a name, as master files have it. */
export const fromOctal = (text: string): string =>
  text.replace(/\\(?:([0-3][0-7]{2})|[^])/g, (all, digits?: string) =>
    digits === undefined ? all : `\\${String(Number.parseInt(digits, 8)).padStart(3, '0')}`,
  )

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`
