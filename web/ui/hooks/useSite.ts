import { signInProviders, site } from '../../api/site.ts'
import { useLate } from '../late.ts'

/** Public facts about the service; null until loaded. */
export const useSite = () => useLate(site)

/** Identity providers; null until loaded. */
export const useSignInProviders = () => useLate(signInProviders)
