/** The package has no types of its own. */
declare module 'punycode.js' {
  const punycode: {
    /** What a label without its `xn--` stands for (RFC 3492). Throws RangeError where it is not well-formed. */
    decode(text: string): string
  }
  export default punycode
}
