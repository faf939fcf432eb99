const BASE = 36
const TMIN = 1
const TMAX = 26
const MAX_CODE_POINT = 0x10ffff

/** Decodes a label without its `xn--` (RFC 3492 section 6.2); null if it is malformed. */
export function decodePunycode(text: string): string | null {
  const cut = text.lastIndexOf('-')
  const output = cut > 0 ? Array.from(text.slice(0, cut), (letter) => letter.charCodeAt(0)) : []
  let at = cut > 0 ? cut + 1 : 0
  let code = 128
  let index = 0
  let bias = 72
  while (at < text.length) {
    const start = index
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at++))
      if (digit === null) return null
      index += digit * weight
      const threshold = Math.min(Math.max(k - bias, TMIN), TMAX)
      if (digit < threshold) break
      weight *= BASE - threshold
      if (index > 2 ** 31 || weight > 2 ** 31) return null
    }
    const size = output.length + 1
    bias = adapt(index - start, size, start === 0)
    code += Math.floor(index / size)
    if (code > MAX_CODE_POINT) return null
    index %= size
    output.splice(index++, 0, code)
  }
  return String.fromCodePoint(...output)
}

/** `a` to `z` are 0 to 25, `0` to `9` are 26 to 35. */
function digitOf(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x7a ? letter - 0x61 : null
}

/** RFC 3492 section 6.1. */
function adapt(delta: number, size: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / size)
  let k = 0
  for (; rest > ((BASE - TMIN) * TMAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - TMIN))
  return k + Math.floor((36 * rest) / (rest + 38))
}
