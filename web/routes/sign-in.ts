import { createRoute } from '@tanstack/react-router'
import { searchOf, text } from '../search.ts'
import { SignIn } from '../views/sign-in/SignIn.tsx'
import { openView, root } from './root.ts'

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf({ next: text }),
  component: SignIn,
})

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: searchOf({ code: text, pending_token: text, provider_id: text }),
  component: openView(() => import('../views/sign-in/Register.tsx'), 'Register', ['register']),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: openView(() => import('../views/sign-in/ResetPassword.tsx'), 'ResetPassword', ['register']),
})

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  component: openView(() => import('../views/sign-in/ConfirmEmail.tsx'), 'ConfirmEmail', ['register']),
})

const callback = createRoute({
  getParentRoute: () => root,
  path: '/auth/callback',
  component: openView(() => import('../views/sign-in/Callback.tsx'), 'Callback', ['register']),
})

export const signInRoutes = [signIn, register, resetPassword, confirmEmail, callback] as const
