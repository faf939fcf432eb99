/** Message areas that every page needs. */
export const EVERYWHERE = ['common', 'problems', 'signIn'] as const
