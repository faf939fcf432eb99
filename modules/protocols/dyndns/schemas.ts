import { Type } from '@sinclair/typebox'

const MAX_LENGTH = 8_000

const Texts = (description: string, examples: string[]) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_LENGTH }), { maxItems: 20, description, examples: [examples] }),
  )

const Text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 500, description, examples: [example] }))

/** Other parameters of clients (`system`, `wildcard`, `mx`, `backmx`) are ignored. */
export const UpdateQuery = Type.Object({
  hostname: Texts(
    'Full names, separated by commas, at most 20; each may end in `;suffix=<lower bits of the IPv6 address>`',
    ['home.example.com,nas.example.com;suffix=::10'],
  ),
  myip: Text(
    'IPv4 and IPv6 addresses, separated by commas; by default the address of the caller. `preserve` keeps those of the hosts',
    '192.0.2.1,2001:db8::1',
  ),
  ip: Text('The same as `myip`', '192.0.2.1'),
  myipv4: Text('The same; `preserve` keeps the IPv4 addresses', '192.0.2.1'),
  myipv6: Text('The same; `preserve` keeps the IPv6 addresses', '2001:db8::1'),
  ipv6: Text('The same as `myipv6`', '2001:db8::1'),
  ip6lanprefix: Text(
    'IPv6 network: hosts with a suffix get their address in it. Without an IPv6 address, other hosts are moved into it and keep their lower bits. Also accepted in the other parameters',
    '2001:db8:1:2::/64',
  ),
  offline: Text(
    '`YES` deletes all addresses of the hosts, whatever else is given; other values are ignored',
    'YES',
  ),
  username: Text('With `password` instead of HTTP Basic, for devices that cannot send headers', 'admin'),
  password: Text('A personal token. Proxies may log it; prefer HTTP Basic', 'zkp_…'),
})
