/**
 * The 49,233 most common leaked passwords of @zxcvbn-ts/language-common, in lower case and by frequency. The
 * list is loaded on first use (5 MB) and searched linearly: a third of a millisecond next to 25 for a hash
 * doesn't justify another copy as a set.
 */
let loading: Promise<readonly string[]> | undefined

async function load(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common']
}

/** Typical additions to a common password: a few digits and symbols. */
const TRIVIAL_SUFFIX = /[^\p{L}]{1,5}$/u

/** Returns whether it is a common password, in any case, also with a few digits or symbols appended. */
export async function isCommon(password: string): Promise<boolean> {
  const common = await (loading ??= load())
  const word = password.toLowerCase()
  return common.includes(word) || common.includes(word.replace(TRIVIAL_SUFFIX, ''))
}
