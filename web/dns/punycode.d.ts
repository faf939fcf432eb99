/** The package has no types of its own. */
declare module 'punycode.js/punycode.es6.js' {
  /** What a label without its `xn--` stands for (RFC 3492). Throws RangeError where it is not well-formed. */
  export function decode(text: string): string
}
