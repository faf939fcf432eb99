import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../../ui/feedback/Toast.tsx'

/** Root of every page, signed in or not. */
export const Root = () => (
  <>
    <Outlet />
    <Toasts />
  </>
)
