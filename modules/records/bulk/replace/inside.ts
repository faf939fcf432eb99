import {
  holds,
  lengthOf,
  moveAddress,
  networkInText,
  networkOfAddress,
  textOfNetwork,
  type Network,
} from '../../../../dns/addresses/networks.ts'
import { isSpf } from '../../../../dns/mail-policy/spf-merge.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { joinTxt } from '../../../../dns/types/txt.ts'

/** The result of replacing addresses inside a value. */
export interface Inside {
  /** The new value; null if nothing can be rewritten. */
  value: string | null
  /** Parts that name the addresses and stay unchanged. */
  left: string[]
}

/** The addresses to replace, and their replacement: one address for all, or a network of the same size; null: no address. */
export interface Move {
  from: Network
  to: Network | null
}

/** Types with addresses inside their values that can be rewritten. */
export const TYPES_WITH_ADDRESSES: readonly RecordType[] = ['HTTPS', 'SVCB', 'TXT']

/**
 * Rewrites the addresses in `ipv4hint` and `ipv6hint` of HTTPS and SVCB and in `ip4:` and `ip6:` of SPF. Returns null if the
 * value does not contain them. Other values that name a single address are left unchanged and reported.
 */
export function replaceInside(type: RecordType, value: string, move: Move): Inside | null {
  if (type === 'HTTPS' || type === 'SVCB') return inHints(value, move)
  const text = type === 'TXT' ? joinTxt(value) : ''
  if (isSpf(text)) return inSpf(text, move)
  return names(type === 'TXT' ? text : value, move.from) ? { value: null, left: [value] } : null
}

function inHints(value: string, { from, to }: Move): Inside | null {
  const hint = from.type === 'A' ? 'ipv4hint=' : 'ipv6hint='
  const left: string[] = []
  let isFound = false
  const parts = value.split(' ').map((part) => {
    if (!part.startsWith(hint)) return part
    const moved = part
      .slice(hint.length)
      .split(',')
      .map((address) => {
        const network = networkOfAddress(address)
        if (!network || !holds(from, network)) return address
        isFound = true
        if (to === null) left.push(`${hint}${address}`)
        return to ? moveAddress(address, to) : address
      })
    return `${hint}${[...new Set(moved)].join(',')}`
  })
  if (!isFound) return null
  return to ? { value: parts.join(' '), left } : { value: null, left }
}

/** A mechanism, with its qualifier. */
const NETWORK_TERM = /^([+?~-]?ip[46]:)(.+)$/i

function inSpf(text: string, { from, to }: Move): Inside | null {
  const left: string[] = []
  let isRewritten = false
  const terms = text.split(/\s+/).map((term) => {
    const [, mechanism = '', rest = ''] = NETWORK_TERM.exec(term) ?? []
    const network = networkInText(rest)
    if (!network || network.type !== from.type) return term
    if (holds(from, network) && to) {
      isRewritten = true
      return `${mechanism}${moved(network, to, rest.includes('/'))}`
    }
    // The new addresses may lie outside a wider network, so a person has to decide.
    if (holds(from, network) || holds(network, from)) left.push(term)
    return term
  })
  if (!isRewritten) return left.length > 0 ? { value: null, left } : null
  return { value: [...new Set(terms)].join(' '), left }
}

/** Maps a part of the old network into the new one; a single new address replaces it as a whole. */
function moved(part: Network, to: Network, hasLength: boolean): string {
  if (to.prefix === lengthOf(to)) return textOfNetwork(to, false)
  const address = moveAddress(textOfNetwork(part, false), to)
  return hasLength ? `${address}/${part.prefix}` : address
}

/** Whether the text contains that address as a whole word: 192.0.2.10 does not contain 192.0.2.1. */
function names(text: string, network: Network): boolean {
  if (network.prefix !== lengthOf(network)) return false
  const address = textOfNetwork(network, false).replaceAll('.', '\\.')
  const around = network.type === 'A' ? ['[0-9.]', '[0-9]|\\.[0-9]'] : ['[0-9a-f]', '[0-9a-f:]']
  return new RegExp(`(?<!${around[0]})${address}(?!${around[1]})`, 'i').test(text)
}
