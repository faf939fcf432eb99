import { signInProviders, site } from '../api/site.ts'
import { useLate } from './late.ts'

/** What the service tells anybody about itself; null until it is known. */
export const useSite = () => useLate(site)

/** By whom else one may sign in; null until it is known. */
export const useSignInProviders = () => useLate(signInProviders)
