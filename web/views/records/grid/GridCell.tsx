import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { cx } from '../../../ui/classes.ts'
import { MessageAt } from '../../../ui/feedback/MessageAt.tsx'
import styles from './Grid.module.css'

export type GridField = 'pick' | 'name' | 'type' | 'value' | 'ttl' | 'state' | 'menu'

interface CellProps {
  index: number
  field: GridField
  isReached: boolean
  moving: RefObject<boolean>
  label: string
  title?: string
  mono?: boolean
  children: ReactNode
  /** Set if the cell is editable. */
  text?: string
  onText?: (text: string) => void
  /** Error in a text; null: none. */
  faultOf?: (text: string) => string | null
}

/** F2, Enter or a double click starts editing, Enter saves, Escape cancels. */
export function Cell({
  index,
  field,
  isReached,
  moving,
  label,
  title,
  mono,
  children,
  text,
  onText,
  faultOf,
}: CellProps) {
  const [isEditing, setEditing] = useState(false)
  const cell = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    if (!isReached || !moving.current) return
    moving.current = false
    cell.current?.focus({ preventScroll: true })
  }, [isReached, moving])

  const begin = (event: KeyboardEvent) => {
    // Ctrl+Enter opens the review.
    const isWanted = event.key === 'F2' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)
    if (isEditing || onText === undefined || !isWanted) return
    event.preventDefault()
    event.stopPropagation()
    setEditing(true)
  }
  function end(given: string) {
    setEditing(false)
    if (given !== text) onText?.(given)
  }
  const isBare = field === 'pick' || field === 'menu'
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- grid cells are reached by arrow keys
    <div
      ref={cell}
      role="gridcell"
      tabIndex={isReached ? 0 : -1}
      data-row={index}
      data-cell={field}
      className={cx(styles['cell'], mono && styles['mono'])}
      {...(isBare && { 'aria-label': label })}
      {...(title !== undefined && { title })}
      {...(onText && { onDoubleClick: () => setEditing(true) })}
      onKeyDown={begin}
    >
      {isEditing ? (
        <CellInput
          label={label}
          text={text ?? ''}
          faultOf={(given) => (given === text ? null : (faultOf?.(given) ?? null))}
          onEnd={end}
          onLeave={() => cell.current?.focus({ preventScroll: true })}
        />
      ) : isBare ? (
        children
      ) : (
        <span>{children}</span>
      )}
    </div>
  )
}

interface InputProps {
  label: string
  text: string
  faultOf: (text: string) => string | null
  /** Called with a valid text. */
  onEnd: (text: string) => void
  /** Returns the focus to the cell. */
  onLeave: () => void
}

/** Editor of a cell: an invalid text shows its error and is not staged. */
function CellInput({ label, text, faultOf, onEnd, onLeave }: InputProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const isWrong = fault !== null
  function take(given: string): boolean {
    const wrong = faultOf(given)
    setFault(wrong)
    return wrong === null
  }
  return (
    <>
      <input
        ref={input}
        className={styles['input']}
        autoFocus
        aria-label={label}
        aria-invalid={isWrong}
        {...(isWrong && { 'aria-describedby': id })}
        defaultValue={text}
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        // An invalid text stays open.
        onBlur={({ target }) => take(target.value) && onEnd(target.value)}
        onInput={({ currentTarget }) => isWrong && take(currentTarget.value)}
        onKeyDown={(event) => {
          // Arrow keys move within the text.
          event.stopPropagation()
          const { currentTarget } = event
          if (event.key === 'Escape') currentTarget.value = text
          // Blur ends editing once.
          if (event.key === 'Escape' || (event.key === 'Enter' && take(currentTarget.value))) onLeave()
        }}
      />
      {isWrong && (
        <MessageAt id={id} anchor={input} onClose={() => setFault(null)}>
          {fault}
        </MessageAt>
      )}
    </>
  )
}
