import { Type } from '@sinclair/typebox'
import { named } from '../../../schemas/named.ts'
import { Nullable, OneOf, Timestamp, Uuid } from '../../../schemas/scalars.ts'

const ServerState = OneOf(['agrees', 'differs', 'no_answer', 'refused', 'lame', 'not_comparable'], {
  ...named('VerifiedServerState'),
  description:
    "`lame`: it does not have the zone, or can't answer from it. `not_comparable`: it may answer otherwise, as for aliases and proxied or weighted records, or it can't be reached from here at all",
  examples: ['agrees'],
})

export const Verification = Type.Object(
  {
    changeId: Uuid,
    status: OneOf(['none', 'waiting', 'verified', 'failed', 'superseded', 'not_comparable', 'unreachable'], {
      ...named('VerificationStatus'),
      description:
        '`none`: never begun. `verified`: all name servers serve the change. `failed`: not within ten minutes. `superseded`: newer changes replaced all of it. `not_comparable`: the provider decides what is answered. `unreachable`: no name server could be asked',
      examples: ['waiting'],
    }),
    agreeing: Type.Integer({ description: 'Servers that serve the change', examples: [1] }),
    comparable: Type.Integer({
      description: 'Servers without those that are `not_comparable`',
      examples: [3],
    }),
    servers: Type.Array(
      Type.Object({
        server: Type.String({
          description: 'Name of the server; its address if only that is known',
          examples: ['ns1.example.net'],
        }),
        address: Type.String({ examples: ['192.0.2.53'] }),
        port: Type.Integer({ examples: [53] }),
        state: ServerState,
        name: Nullable(
          Type.String({ description: 'Of the first RRset that it answers otherwise', examples: [null] }),
        ),
        recordType: Nullable(Type.String({ examples: [null] })),
        answer: Nullable(
          Type.Array(Type.String({ examples: ['192.0.2.1'] }), {
            description: 'What it answers for that RRset; empty: no such records. Null if it agrees',
            examples: [null],
          }),
        ),
        checkedAt: Timestamp,
      }),
      { description: 'As of the last round; one entry for each address' },
    ),
    startedAt: Nullable(Timestamp),
    endsAt: Nullable({ ...Timestamp, description: 'When it fails unless it is verified before' }),
    endedAt: Nullable(Timestamp),
  },
  { $id: 'Verification' },
)
