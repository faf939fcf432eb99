import { holds, networkOfAddress, readNetwork, type Network } from '../../../dns/addresses/networks.ts'
import { finding } from '../checking/finding.ts'
import { ofType, type NodeCheck } from './zone.ts'

/** Addresses that mean nothing, or another machine, outside of a network (RFC 6890). */
const PRIVATE = [
  ['10.0.0.0/8', 'private', 'RFC 1918'],
  ['172.16.0.0/12', 'private', 'RFC 1918'],
  ['192.168.0.0/16', 'private', 'RFC 1918'],
  ['100.64.0.0/10', 'shared', 'RFC 6598'],
  ['169.254.0.0/16', 'link-local', 'RFC 3927'],
  ['127.0.0.0/8', 'loopback', 'RFC 1122'],
  ['0.0.0.0/8', 'unspecified', 'RFC 1122'],
  ['fc00::/7', 'private', 'RFC 4193'],
  ['fe80::/10', 'link-local', 'RFC 4291'],
  ['::1/128', 'loopback', 'RFC 4291'],
  ['::/128', 'unspecified', 'RFC 4291'],
].map(([network = '', kind = '', rfc = '']) => ({ network: readNetwork(network) as Network, kind, rfc }))

/** Private and loopback addresses. */
export const privateAddresses: NodeCheck = ({ name, records }) =>
  ofType(records, 'A', 'AAAA').flatMap(({ type, value, proxied }) => {
    const address = proxied ? null : networkOfAddress(value)
    const found = address && PRIVATE.find(({ network }) => holds(network, address))
    if (!found) return []
    const params = { address: value, kind: found.kind, rfc: found.rfc }
    const detail = `${value} is a ${found.kind} address (${found.rfc}).`
    return [finding({ code: 'address.private', name, type, subject: value, detail, params })]
  })
