import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../../ui/Toast.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'

/** What is there on every page, signed in or not. */
export function Root() {
  return (
    <>
      <Outlet />
      <PasswordDialog />
      <Toasts />
    </>
  )
}
