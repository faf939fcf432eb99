import { Type } from '@sinclair/typebox'
import { PageEnvelope, PageQuery } from '../../schemas/paging.ts'
import { ref } from '../../schemas/ref.ts'
import { Label, Nullable, Uuid } from '../../schemas/scalars.ts'
import { EmailAddress } from '../../schemas/people/email-address.ts'
import { AccountKind, NewPassword, Role, User, Username } from '../../schemas/people/user.ts'

export const ListQuery = Type.Object({
  ...PageQuery(20),
  search: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'Part of the user name, email address or display name',
      examples: ['ada'],
    }),
  ),
  role: Type.Optional(Role),
  kind: Type.Optional(AccountKind),
})

export const UserPage = Type.Object({ users: Type.Array(ref(User)), ...PageEnvelope })

const DisplayName = Nullable(Label(100, ['Ada Lovelace']))

export const CreateBody = Type.Object({
  kind: Type.Unsafe<'person' | 'machine'>({
    ...AccountKind,
    default: 'person',
    description: '`machine`: for a program; has no password or address and never signs in',
  }),
  username: Username,
  password: Type.Optional(
    Type.String({
      ...NewPassword,
      description:
        'Initial password to pass on. Without it, the user gets a link by email to choose one, which requires email to be configured, and `email`',
    }),
  ),
  email: Type.Optional(Nullable(EmailAddress)),
  role: Type.Unsafe<'admin' | 'member'>({ ...Role, default: 'member' }),
  displayName: Type.Optional(DisplayName),
})

export const UpdateBody = Type.Partial(
  Type.Object({
    username: Type.String({ maxLength: 64, description: "Can't be changed", examples: ['ada'] }),
    role: Role,
    email: Nullable(EmailAddress),
    displayName: DisplayName,
    disabled: Type.Boolean({ description: 'Ends all sessions', examples: [false] }),
    password: Type.String({
      ...NewPassword,
      description: 'A new password; ends all sessions and personal tokens',
    }),
    keepTokens: Type.Boolean({
      description: 'With a new password: keep personal tokens',
      examples: [false],
    }),
  }),
)

export const DeleteQuery = Type.Object({
  transferTo: Type.Optional(
    Type.String({
      ...Uuid,
      description: 'New owner of the domains and provider connections of the deleted user',
    }),
  ),
})
