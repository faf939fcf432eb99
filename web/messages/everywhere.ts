/** The areas of texts that are there on every page: what all say, and the first one. */
export const EVERYWHERE = ['common', 'problems', 'signIn'] as const
