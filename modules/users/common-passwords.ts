/**
 * The 49,233 commonest passwords of known leaks come with @zxcvbn-ts/language-common, in lower case and
 * commonest first. The package's own list is used rather than a file made from it: nothing to generate
 * or to keep current. It is loaded on first use (5 MB), and searched as it is: a third of a millisecond,
 * beside a hash of twenty-five, is not worth another copy of it as a set.
 */
let loading: Promise<readonly string[]> | undefined

async function load(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return dictionary['passwords-common']
}

/** What people put behind a common password to satisfy a rule: a few digits and signs. */
const TRIVIAL_SUFFIX = /[^\p{L}]{1,5}$/u

/** Whether it is one of the commonest passwords, in any case, or one with a few digits or signs behind. */
export async function isCommon(password: string): Promise<boolean> {
  const common = await (loading ??= load())
  const word = password.toLowerCase()
  return common.includes(word) || common.includes(word.replace(TRIVIAL_SUFFIX, ''))
}
