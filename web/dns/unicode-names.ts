/* Names as people read them: labels of the form `xn--` in Unicode (RFC 5891), by the decoding of RFC 3492. */

const LABEL = /xn--[a-z0-9-]+/gi

/** A text in which each `xn--` label that stands for something is written as that; all else is as it was. */
export const readable = (text: string): string =>
  text.replace(LABEL, (label) => {
    const unicode = decode(label.slice(4).toLowerCase())
    return unicode !== null && asAscii(unicode) === label.toLowerCase() ? unicode : label
  })

/** What the browser makes of a label; null: it is none. */
const asAscii = (label: string): string | null => {
  // What a URL would take for something else than a name.
  if (/[/?#@:\\[\]%.\s]/.test(label)) return null
  return URL.parse(`http://${label}.example/`)?.hostname.replace(/\.example$/, '') ?? null
}

/** Parameters of RFC 3492 section 5. */
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_CODE = 128

/** RFC 3492 section 6.2; null: it is not well-formed. */
function decode(text: string): string | null {
  const dash = text.lastIndexOf('-')
  const codes = Array.from(text.slice(0, Math.max(dash, 0)), (char) => char.charCodeAt(0))
  let code = FIRST_CODE
  let bias = FIRST_BIAS
  let at = 0
  let next = dash + 1
  while (next < text.length) {
    const before = at
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = Number.parseInt(text[next] ?? '', 36)
      if (Number.isNaN(digit)) return null
      next += 1
      // Letters are 0 to 25, digits 26 to 35.
      const value = digit < 10 ? digit + 26 : digit - 10
      at += value * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (value < threshold) break
      weight *= BASE - threshold
      if (at > 0x7fffffff || weight > 0x7fffffff) return null
    }
    const length = codes.length + 1
    bias = adapted(at - before, length, before === 0)
    code += Math.floor(at / length)
    if (code > 0x10ffff) return null
    at %= length
    codes.splice(at, 0, code)
    at += 1
  }
  return String.fromCodePoint(...codes)
}

/** RFC 3492 section 6.1. */
function adapted(delta: number, length: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2))
  left += Math.floor(left / length)
  let k = 0
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW))
}
