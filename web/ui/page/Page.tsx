import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { buttonClass, Button, type Look } from './Button.tsx'
import { cx } from '../classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import { useFormats, useMessages } from '../language.tsx'
import { toast } from '../feedback/Toast.tsx'
import styles from './Page.module.css'

interface PageProps {
  title: string
  /** A sentence below the title. */
  about?: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  children: ReactNode
  /** Uses the full width of the window. */
  wide?: boolean
}

/** A page; its only heading is also the window title. */
export function Page({ title, about, actions, children, wide }: PageProps) {
  useTitle(title)
  return (
    <div className={cx(styles['page'], wide && styles['wide'])}>
      <div className={styles['head']}>
        <div className={styles['title']}>
          <h1>{title}</h1>
          {about !== undefined && <p>{about}</p>}
        </div>
        {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}

/** Sets the window title of a page whose heading is drawn elsewhere. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Zonekeeper`
  }, [title])
}

/** A section with its own heading. */
export function Card({
  title,
  actions,
  children,
}: {
  title?: string
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles['card']} {...(title !== undefined && { 'aria-labelledby': id })}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles['head']}>
          {title !== undefined && (
            <h2 id={id} className={styles['title']}>
              {title}
            </h2>
          )}
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

export const Cards = ({ children }: { children: ReactNode }) => (
  <div className={styles['cards']}>{children}</div>
)

/** Labels with values. */
export function Facts({ facts }: { facts: readonly [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Items in a row that wraps. */
export const Bar = ({ children }: { children: ReactNode }) => <div className={styles['bar']}>{children}</div>

/** A link that looks like a button. */
export function LinkButton({
  look,
  icon,
  children,
  ...rest
}: LinkProps & { look?: Look; icon?: IconName; children: ReactNode }) {
  return (
    <Link {...rest} className={buttonClass(look)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

/** Narrow screens can't show all tabs; scroll to the open one. */
const intoView = (tab: HTMLAnchorElement | null) => {
  const tabs = tab?.parentElement
  if (!tab || !tabs || tab.getAttribute('aria-current') === null) return
  tabs.scrollLeft = tab.offsetLeft + tab.offsetWidth - tabs.clientWidth
}

/** Tabs, each with its own address. */
export function TabLinks({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { text: string; link: LinkProps }[]
}) {
  return (
    <nav aria-label={label} className={styles['tabs']}>
      {tabs.map(({ text, link }) => (
        <Link
          key={text}
          {...link}
          ref={intoView}
          className={styles['tab']}
          activeProps={{ 'aria-current': 'page' }}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}

interface PagerProps {
  page: number
  limit: number
  total: number
  onPage: (page: number) => void
}

/** Pagination. */
export function Pager({ page, limit, total, onPage }: PagerProps) {
  const m = useMessages()
  const { number } = useFormats()
  const last = Math.max(1, Math.ceil(total / limit))
  const from = total === 0 ? 0 : (page - 1) * limit + 1
  return (
    <nav aria-label={m.common.pages} className={styles['pager']}>
      <span role="status">
        {m.common.range(number(from), number(Math.min(page * limit, total)), number(total))}
      </span>
      {last > 1 && (
        <>
          <Button icon="left" isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
            {m.common.previous}
          </Button>
          <Button isDisabled={page >= last} onPress={() => onPage(page + 1)}>
            {m.common.next}
            <Icon name="right" />
          </Button>
        </>
      )}
    </nav>
  )
}

/** Text to copy: a click selects it, the button copies it. */
export function Copied({ label, text }: { label: string; text: string }) {
  const m = useMessages()
  const field = useRef<HTMLTextAreaElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast(m.common.copied)
    } catch {
      // Refused by the browser: select everything, so that the user can copy it.
      field.current?.focus()
    }
  }
  return (
    <div className={styles['copy']}>
      {/* As high as its content, where the browser supports that. */}
      <textarea
        ref={field}
        aria-label={label}
        readOnly
        rows={1}
        value={text}
        onFocus={(event) => event.target.select()}
      />
      {/* The clipboard API exists only on HTTPS and localhost. */}
      {'clipboard' in navigator && (
        <Button icon="copy" onPress={() => void copy()}>
          {m.common.copy}
        </Button>
      )}
    </div>
  )
}
