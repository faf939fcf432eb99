import type { ReactNode } from 'react'
import { changeSettings } from '../../api/settings.ts'
import { Button } from '../../ui/page/Button.tsx'
import { LANGUAGES, useLanguage, useMessages } from '../../ui/language.tsx'
import { Logo } from '../../ui/page/Logo.tsx'
import { OfflineNote, useOnline } from '../../ui/feedback/Offline.tsx'
import styles from './SignIn.module.css'

/** Frame of pages before sign-in. */
export function Outside({ title, children }: { title: string; children: ReactNode }) {
  const m = useMessages()
  const language = useLanguage()
  const isOnline = useOnline()
  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <div className={styles['brand']}>
          <Logo />
          {m.common.product}
        </div>
        <h1>{title}</h1>
        {!isOnline && <OfflineNote />}
        {children}
        <div className={styles['foot']}>
          {LANGUAGES.filter(({ id }) => id !== language).map(({ id, name }) => (
            <span key={id} lang={id}>
              <Button look="link" onPress={() => changeSettings({ language: id })}>
                {name}
              </Button>
            </span>
          ))}
        </div>
      </div>
    </main>
  )
}
