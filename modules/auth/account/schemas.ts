import { Type } from '@sinclair/typebox'
import { ref } from '../../../schemas/ref.ts'
import { Nullable } from '../../../schemas/scalars.ts'
import { EmailAddress } from '../../../schemas/people/email-address.ts'
import { CurrentUser, NewPassword, Username } from '../../../schemas/people/user.ts'

export const RegisterBody = Type.Object({
  inviteCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Required unless registration is open',
      examples: ['Xw3kQ1s9Zb7LmN0pRtYvUa2c'],
    }),
  ),
  username: Username,
  password: NewPassword,
  email: Type.Optional(Nullable(EmailAddress)),
})

export const ForgotBody = Type.Object({ email: EmailAddress })

export const ForgotAnswer = Type.Object({
  message: Type.String({ examples: ['If an account has this address, a link was sent to it'] }),
})

const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'From the mailed link',
  examples: ['wGxJq6v0c9mXKp3uT1nYbH5sRzLdE8aFoV2iQkMt7Uc'],
})

export const ResetBody = Type.Object({ token: LinkToken, newPassword: NewPassword })

export const EmailBody = Type.Object({
  email: EmailAddress,
  password: Type.String({
    maxLength: 256,
    description: 'The current password',
    examples: ['correct horse battery staple'],
  }),
})

export const EmailAnswer = Type.Object({
  user: ref(CurrentUser),
  confirmationSent: Type.Boolean({
    description: 'The change takes effect with the link sent to the new address',
    examples: [true],
  }),
})

export const ConfirmEmailBody = Type.Object({ token: LinkToken })
