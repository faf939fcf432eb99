import { coversName, kindOf, patternOf, type PatternKind } from '../../zone/patterns.ts'
import { RadioGroup } from '../fields/Choice.tsx'
import { TextField } from '../fields/Field.tsx'
import { useMessages } from '../language.tsx'
import { visible } from '../visible.ts'
import styles from './PatternField.module.css'

/** A pattern being composed. */
export interface PatternChoice {
  kind: PatternKind
  name: string
}

export const choiceOf = (pattern: string): PatternChoice => ({
  kind: kindOf(pattern),
  name: kindOf(pattern) === 'below' ? pattern.slice(2) : pattern === '*' || pattern === '@' ? '' : pattern,
})

export const patternOfChoice = ({ kind, name }: PatternChoice, domain: string) =>
  patternOf(kind, name, domain)

/** Maximum number of names listed. */
const SHOWN = 12

const KINDS: readonly PatternKind[] = ['whole', 'apex', 'name', 'below']

interface PatternProps {
  choice: PatternChoice
  onChange: (choice: PatternChoice) => void
  /** Domain of the names; empty while unknown. */
  domain: string
  /** Names in the zone; undefined: unknown. */
  names?: readonly string[]
}

/** Name pattern, built by choice, with the names it covers now. */
export function PatternField({ choice, onChange, domain, names }: PatternProps) {
  const m = useMessages('access')
  const words = m.access
  const needsName = choice.kind === 'name' || choice.kind === 'below'
  const isComplete = !needsName || choice.name.trim() !== ''
  return (
    <div className="stack">
      <RadioGroup
        label={words.form.names}
        value={choice.kind}
        onChange={(kind) => onChange({ ...choice, kind })}
        options={KINDS.map((kind) => ({ id: kind, text: words.kinds[kind], note: words.kindNotes[kind] }))}
      />
      {needsName && (
        <TextField
          label={words.form.name}
          name="subdomainPattern"
          help={words.form.nameHelp(domain || 'example.com')}
          value={choice.name}
          onChange={(name) => onChange({ ...choice, name })}
          autoComplete="off"
          mono
        />
      )}
      {names && isComplete && <Covered pattern={patternOfChoice(choice, domain)} names={names} />}
    </div>
  )
}

function Covered({ pattern, names }: { pattern: string; names: readonly string[] }) {
  const m = useMessages('access')
  const words = m.access.form
  const covered = [...new Set(names)].filter((name) => coversName(pattern, name))
  return (
    <div role="status" className={styles['covered']}>
      <p>
        <code>{visible(pattern)}</code>{' '}
        {covered.length === 0 ? words.coversNone : words.covers(covered.length)}
      </p>
      {covered.length > 0 && (
        <p className={styles['names']}>
          {covered.slice(0, SHOWN).map((name) => (
            <code key={name}>{visible(name)}</code>
          ))}
          {covered.length > SHOWN && <span>{words.more(covered.length - SHOWN)}</span>}
        </p>
      )}
    </div>
  )
}
