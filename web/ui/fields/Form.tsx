import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Form as AriaForm } from 'react-aria-components/Form'
import { ApiProblem, fieldErrors } from '../../api/problems.ts'
import { FieldErrors } from './Field.tsx'
import { Note } from '../feedback/Note.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'
import { Originals } from '../feedback/ReasonList.tsx'
import { reasonsIn, useReasons } from '../feedback/reasons.ts'
import styles from './Form.module.css'

interface FormProps {
  /** Field names; errors of other fields appear above the form. */
  fields: readonly string[]
  onSubmit: () => Promise<unknown>
  /** Submits when this becomes true. */
  isComplete?: boolean
  /** Fields and actions; `isPending` while it is sent. */
  children: (isPending: boolean) => ReactNode
}

/** A form that keeps its input and shows errors at their fields. */
export function Form({ fields, onSubmit, isComplete = false, children }: FormProps) {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const alert = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  // An error disappears while its field is edited, not on blur: otherwise the button moves away from under the pointer.
  const [typed, setTyped] = useState<readonly string[]>([])
  const names = fields.join(' ')
  const reasons = error instanceof ApiProblem ? reasonsIn(error.problem) : []
  const say = useReasons(reasons.length > 0)
  // A stable object: a new one would show old errors again.
  const { byField, others } = useMemo(() => {
    const all = fieldErrors(
      error,
      names.split(' '),
      ({ code, params, message }) => say({ code, params, text: message }).text,
    )
    const left = Object.entries(all.byField).filter(([name]) => !typed.includes(name))
    return { ...all, byField: Object.fromEntries(left) }
  }, [error, names, typed, say])
  const hasPlace = Object.keys(byField).length > 0 || typed.length > 0
  const isAtFields = error instanceof ApiProblem && hasPlace && others.length === 0

  useEffect(() => {
    if (error === null) return
    if (!isAtFields) alert.current?.focus()
    // Scroll to the first error, which may be far above the button.
    else form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    // Once per answer, not again as errors are corrected.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error])

  useEffect(() => {
    if (isComplete) form.current?.requestSubmit()
  }, [isComplete])

  async function submit() {
    // Enter can be pressed while it is being sent.
    if (isPending) return
    // A partial date counts as empty; ask for it instead of dropping it.
    const part = form.current?.querySelector<HTMLInputElement>('input[type^=date]:invalid')
    if (part?.validity.badInput) {
      part.reportValidity()
      part.focus()
      return
    }
    setPending(true)
    setError(null)
    setTyped([])
    try {
      await onSubmit()
    } catch (problem) {
      setError(problem)
    } finally {
      setPending(false)
    }
  }
  return (
    <AriaForm
      ref={form}
      validationErrors={byField}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div
        className={styles['form']}
        onInput={({ target }) => {
          const { name = '' } = target as Partial<HTMLInputElement>
          if (name in byField) setTyped([...typed, name])
        }}
      >
        {error !== null && !isAtFields && (
          <div ref={alert} tabIndex={-1} className={styles['alert']}>
            {others.length > 0 ? (
              <Note tone="bad" alert>
                <ul>
                  {others.map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </Note>
            ) : (
              <ProblemNote error={error} />
            )}
          </div>
        )}
        {isAtFields && <Originals texts={reasons.flatMap((reason) => say(reason).original ?? [])} />}
        <FieldErrors value={byField}>{children(isPending)}</FieldErrors>
      </div>
    </AriaForm>
  )
}

/** Buttons at the end of a form. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className={styles['actions']}>{children}</div>
)

/** Fields next to each other if there is room. */
export const Fields = ({ children }: { children: ReactNode }) => (
  <div className={styles['fields']}>{children}</div>
)
