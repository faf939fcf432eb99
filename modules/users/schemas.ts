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
      description: 'Part of the user name, the e-mail address or the display name',
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
    description: '`machine`: of a program, which has neither password nor address and never signs in',
  }),
  username: Username,
  password: Type.Optional(
    Type.String({
      ...NewPassword,
      description:
        'For the administrator to hand over. Without it the user gets a link by e-mail to choose one, which needs e-mail to be set up and `email`',
    }),
  ),
  email: Type.Optional(Nullable(EmailAddress)),
  role: Type.Unsafe<'admin' | 'member'>({ ...Role, default: 'member' }),
  displayName: Type.Optional(DisplayName),
})

export const UpdateBody = Type.Partial(
  Type.Object({
    username: Type.String({ maxLength: 64, description: 'Can not change', examples: ['ada'] }),
    role: Role,
    email: Nullable(EmailAddress),
    displayName: DisplayName,
    disabled: Type.Boolean({ description: 'Ends all sessions', examples: [false] }),
    password: Type.String({
      ...NewPassword,
      description: 'A new password; ends all sessions and personal tokens',
    }),
    keepTokens: Type.Boolean({
      description: 'With a new password: personal tokens go on',
      examples: [false],
    }),
  }),
)

export const DeleteQuery = Type.Object({
  transferTo: Type.Optional(
    Type.String({
      ...Uuid,
      description: 'The user who gets the domains and provider configurations of the one who goes',
    }),
  ),
})
