/* Patterns of texts of which an example says nothing: they ask for what must not be there. */

/** Not blank, no control characters and no breaks of lines. */
export const ONE_LINE = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$'
export const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f]*$'
export const NOT_BLANK = '\\S'
/** ASCII that is seen: no spaces either. */
export const VISIBLE_ASCII = '^[!-~]+$'

/** What each asks for, as a refusal says it. */
export const FORM_WORDS: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'must be one line that is not blank',
  [NO_CONTROLS]: 'must have no control characters',
  [NOT_BLANK]: 'must not be blank',
  [VISIBLE_ASCII]: 'must have visible ASCII characters only, and no spaces',
}
