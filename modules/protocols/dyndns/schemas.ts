import { Type } from '@sinclair/typebox'

const MAX_LENGTH = 8_000

const Texts = (description: string, examples: string[]) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_LENGTH }), { maxItems: 20, description, examples: [examples] }),
  )

const Text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 500, description, examples: [example] }))

/** What else clients send (`system`, `wildcard`, `mx`, `backmx`, `offline`) means nothing here. */
export const UpdateQuery = Type.Object({
  hostname: Texts(
    'Full names, with commas between them, at most 20; each may end in `;suffix=<lower bits of its IPv6 address>`',
    ['home.example.com,nas.example.com;suffix=::10'],
  ),
  myip: Text(
    'Addresses, IPv4 and IPv6, with commas between them. Without any address that of the caller',
    '192.0.2.1,2001:db8::1',
  ),
  myipv6: Text('The same; some clients send IPv6 apart', '2001:db8::1'),
  ip6lanprefix: Text(
    'A network of IPv6: hosts with a suffix get their address in it; if there is no IPv6 address, the others are moved into it with the lower bits that they have. It may also be in `myip` and `myipv6`',
    '2001:db8:1:2::/64',
  ),
})
