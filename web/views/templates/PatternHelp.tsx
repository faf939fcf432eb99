import { useFormats, useMessages } from '../../ui/language.tsx'
import { Marked } from '../../ui/page/Marked.tsx'
import { visible } from '../../ui/visible.ts'
import { sayPattern } from './said-pattern.ts'

/** Describes a variable's pattern, in words if possible. */
export function PatternHelp({ pattern }: { pattern: string }) {
  const words = useMessages('templates').templates.apply
  const { list } = useFormats()
  const said = sayPattern(pattern)
  if (said === null) return <Marked text={words.mustMatch(visible(pattern))} />
  if (said.kind === 'words') return words.oneOf(list(said.words, 'disjunction'))
  const { letters, digits, marks } = said
  const allowed = [
    ...(letters ? [words.letters] : []),
    ...(digits ? [words.digits] : []),
    ...marks.map((mark) => `\`${mark}\``),
  ]
  return <Marked text={words.only(list(allowed))} />
}
