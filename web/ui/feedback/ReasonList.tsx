import { useMessages } from '../language.tsx'
import styles from './Note.module.css'
import { useReasons, type SaidReason, type ToldReason } from './reasons.ts'

/** Maximum number of reasons shown. */
const SHOWN = 200

/** Errors or warnings in the user's language; the original messages are behind details. */
export function ReasonList({ reasons }: { reasons: readonly ToldReason[] }) {
  const m = useMessages()
  const say = useReasons(reasons.length > 0)
  const said = reasons.map(say)
  const all = [...new Map(said.map((one) => [one.text, one])).values()]
  const originals = [...new Set(said.flatMap(({ original }) => original ?? []))]
  return (
    <>
      <ul>
        {all.slice(0, SHOWN).map((one) => (
          <li key={one.text}>
            <SaidText said={one} />
          </li>
        ))}
        {all.length > SHOWN && <li>{m.problems.more(all.length - SHOWN)}</li>}
      </ul>
      <Originals texts={originals} />
    </>
  )
}

/** One reason; untranslated ones are marked as original. */
export function SaidText({ said: { text, isForeign } }: { said: SaidReason }) {
  const m = useMessages()
  if (!isForeign) return text
  return (
    <>
      <span lang="en">{text}</span> <span className={styles['mark']}>{m.problems.foreign}</span>
    </>
  )
}

/** Original message, if it differs from the shown one. */
export function Originals({ texts }: { texts: readonly string[] }) {
  const m = useMessages()
  if (texts.length === 0) return null
  return (
    <details className={styles['small']}>
      <summary>{m.problems.original}</summary>
      <ul lang="en">
        {texts.slice(0, SHOWN).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  )
}
